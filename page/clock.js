// The clock as a ring: what is left of a turn, as far as it was seen to begin.

import { shape } from "./cards.js";
import { make } from "./dom.js";

const AROUND = 2 * Math.PI * 15;
const SOON_MS = 10_000;

/**
 * What is left of a turn, in a line: minutes and seconds, or hours.
 * @param {number} ms
 * @param {string} language
 */
export function timeLeft(ms, language) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const told = new Intl.NumberFormat(language, { style: "unit", unit: "hour", unitDisplay: "short" });
  return told.format(Math.round(seconds / 3600));
}

export class Clock {
  /**
   * @param {HTMLElement} place
   * @param {{ readonly words: Record<string, string> }} told
   */
  constructor(place, told) {
    this.place = place;
    this.told = told;
    const svg = shape("svg", { viewBox: "0 0 36 36", "aria-hidden": "true" }, place);
    shape("circle", { cx: 18, cy: 18, r: 15 }, svg);
    this.left = shape("circle", { cx: 18, cy: 18, r: 15, class: "left", "stroke-dasharray": AROUND }, svg);
    this.number = make("b");
    place.append(make("span", {}, this.number));
    /** @type {number | null} */
    this.until = null;
    this.whole = 1;
    this.bank = 0;
  }

  /**
   * @param {number | null} until
   * @param {boolean} mine
   * @param {number} now
   * @param {number} bank the last part of it, which is lent by the time bank
   */
  set(until, mine, now, bank) {
    if (until !== this.until) this.whole = Math.max(1, (until ?? 0) - now);
    this.bank = bank;
    this.until = until;
    this.place.classList.toggle("mine", mine);
    this.tick(now);
  }

  /** @param {number} now */
  tick(now) {
    this.place.hidden = this.until === null;
    if (this.until === null) return;
    const ms = Math.max(0, this.until - now);
    this.left.setAttribute("stroke-dashoffset", String(AROUND * (1 - Math.min(1, ms / this.whole))));
    this.place.classList.toggle("soon", ms < SOON_MS);
    this.place.classList.toggle("bank", ms < this.bank);
    const seconds = Math.ceil(ms / 1000);
    const told = this.short(seconds);
    if (this.number.textContent !== told) this.number.textContent = told;
  }

  /**
   * What fits into the ring: seconds, or a number with its unit, which stands below it where it is longer than a letter.
   * @param {number} seconds
   */
  short(seconds) {
    if (seconds < 100) return `${seconds}`;
    const [unit, size] = seconds < 6000 ? [this.told.words.minutes, 60] : [this.told.words.hours, 3600];
    return unit.replace("{number}", () => `${Math.round(seconds / size)}`).replace(/(\d)(?=\D{2})/, "$1\n");
  }
}
