// Clocks: what is left of a turn, as a number, a line and a share of what was seen to begin.

/** @typedef {Readonly<Record<number, number>>} Clocks how much time each clock had where it was seen first, by the moment at which it runs out */

/**
 * The clocks that run until these moments. Each is full where it was seen first.
 * @param {Clocks} clocks
 * @param {readonly (number | null)[]} untils
 * @param {number} now
 * @returns {Clocks}
 */
export function running(clocks, untils, now) {
  return Object.fromEntries(untils.flatMap((until) => (until === null ? [] : [[until, clocks[until] ?? Math.max(1, until - now)]])));
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
