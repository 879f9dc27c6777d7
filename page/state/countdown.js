// Clocks: what is left of a turn, as a number, a line and a share of what was seen to begin.

/** @typedef {{ until: number | null, whole: number }} Countdown */

/** @type {Countdown} */
export const NO_CLOCK = { until: null, whole: 1 };

/**
 * The clock that runs until this moment. It is full where it was seen first.
 * @param {Countdown} clock
 * @param {number | null} until
 * @param {number} now
 * @returns {Countdown}
 */
export function running(clock, until, now) {
  return until === clock.until ? clock : { until, whole: Math.max(1, (until ?? 0) - now) };
}

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

/**
 * What fits into a ring: seconds, or a number with its unit, which stands below it where it is longer than a letter.
 * @param {number} ms
 * @param {Record<string, string>} words
 */
export function shortTime(ms, words) {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds}`;
  const [unit, size] = seconds < 6000 ? [words.minutes, 60] : [words.hours, 3600];
  return unit.replace("{number}", () => `${Math.round(seconds / size)}`).replace(/(\d)(?=\D{2})/, "$1\n");
}
