// A clock as a ring, drawn anew with each second. An animation would keep the screen busy for a whole turn.

/**
 * What is left of a clock and how much of it is the time bank, which is at its end, both as shares.
 * @param {number} until
 * @param {number} whole how long the clock had when it was seen first
 * @param {number} bank
 * @param {number} now
 */
export function ringStyle(until, whole, bank, now) {
  const left = Math.max(0, Math.min(whole, 1000 * Math.ceil((until - now) / 1000)));
  const share = (/** @type {number} */ ms) => Math.round((1000 * ms) / whole) / 1000;
  return `--left:${share(left)};--bank:${share(Math.min(bank, whole))}`;
}
