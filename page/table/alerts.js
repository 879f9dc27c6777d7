// One's turn, for who looks elsewhere: a sound.

/** @type {AudioContext | null} */
let audio = null;

/** Browsers let a page sound once somebody has touched it. */
export function readySound() {
  if (typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
}

export function chime() {
  readySound();
  if (!audio) return;
  [660, 880].forEach((pitch, number) => {
    if (!audio) return;
    const begins = audio.currentTime + number * 0.14;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, begins);
    volume.gain.linearRampToValueAtTime(0.12, begins + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + 0.32);
  });
}
