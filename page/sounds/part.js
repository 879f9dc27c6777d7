// Four short sounds, made here: nothing is fetched. Browsers let a page sound once somebody has touched it.

import { soundOf } from "./heard.js";

/** @typedef {import("./heard.js").Sound} Sound */
/**
 * A tone: its pitch, when it begins and how long it lasts (in seconds), how loud it is and of which shape.
 * @typedef {{ pitch: number, at?: number, lasts: number, loud: number, shape?: OscillatorType }} Tone
 */

const WON = [523, 659, 784];
/** @type {Record<Sound, readonly Tone[]>} */
const TONES = {
  turn: [{ pitch: 660, lasts: 0.3, loud: 0.12 }, { pitch: 880, at: 0.14, lasts: 0.3, loud: 0.12 }],
  card: [{ pitch: 190, lasts: 0.07, loud: 0.1, shape: "triangle" }],
  won: WON.map((pitch, number) => ({ pitch, at: number * 0.09, lasts: 0.26, loud: 0.09 })),
  scoop: [...WON, 1047].map((pitch, number) => ({ pitch, at: number * 0.09, lasts: number === 3 ? 0.5 : 0.26, loud: 0.09 })),
  clock: [0, 0.18].map((at) => ({ pitch: 440, at, lasts: 0.09, loud: 0.08, shape: "square" })),
};
const RISES_SECONDS = 0.01;

/** @type {AudioContext | null} */
let audio = null;

function ready() {
  if (typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
}

for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, ready);
// Whoever has just turned sounds on has touched the page.
if (/** @type {any} */ (navigator).userActivation?.isActive) ready();

/**
 * @param {AudioContext} on
 * @param {Tone} tone
 */
function play(on, { pitch, at = 0, lasts, loud, shape = "sine" }) {
  const begins = on.currentTime + at;
  const tone = on.createOscillator();
  const volume = on.createGain();
  tone.type = shape;
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, begins);
  volume.gain.linearRampToValueAtTime(loud, begins + RISES_SECONDS);
  volume.gain.exponentialRampToValueAtTime(0.001, begins + lasts);
  tone.connect(volume).connect(on.destination);
  tone.start(begins);
  tone.stop(begins + lasts + 0.02);
}

/**
 * Sound what has happened between two states.
 * @param {import("../state/state.js").State} before
 * @param {import("../state/state.js").State} after
 */
export function hear(before, after) {
  const sound = soundOf(before, after);
  if (sound && audio) for (const tone of TONES[sound]) play(audio, tone);
}
