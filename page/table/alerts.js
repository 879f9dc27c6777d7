// One's turn, for who looks elsewhere: a sound, a buzz, and a sign on the tab.

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

/**
 * The picture of the tab, with a sign on it.
 * @param {boolean} turn
 */
export function icon(turn) {
  const dot = turn ? "<circle cx='25' cy='7' r='7' fill='%23ff5a4d'/>" : "";
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='5' y='2' width='22' height='28' rx='4' fill='%2317553b'/><path d='M16 7C14 12 8 15 8 20a4.5 4.5 0 0 0 7 3l-1 3h4l-1-3a4.5 4.5 0 0 0 7-3c0-5-6-8-8-13z' fill='%23fff'/>${dot}</svg>`;
}
