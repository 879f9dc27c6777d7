// A clock as a ring: CSS lets it run out, so it needs no drawing while it does.

const SOON_MS = 10_000;
const STEPS = 60;

/**
 * What CSS needs to let a ring run out: how long it takes, how much of that is gone, and the share of the time bank, which
 * is at its end.
 * @param {number} until
 * @param {number} whole how long the clock had when it was seen first
 * @param {number} bank
 * @param {number} now
 */
export function ringStyle(until, whole, bank, now) {
  const gone = Math.max(0, whole - (until - now));
  // Each step is a drawing of the ring: no more of them than one can see.
  const steps = Math.max(1, Math.min(STEPS, Math.ceil(whole / 1000)));
  const share = Math.round((1000 * Math.min(bank, whole)) / whole) / 1000;
  return `--whole:${whole}ms;--gone:${-gone}ms;--steps:${steps};--bank:${share};--soon:${whole - SOON_MS - gone}ms`;
}
