// Calls: another of one's tables waits for one.

/** @typedef {import("../protocol").TableChoice} TableChoice */

/**
 * The tables elsewhere that wait, the one whose clock runs out first in front.
 * @param {readonly TableChoice[]} tables
 */
export function callsOf(tables) {
  return tables.filter((one) => one.waits && !one.chosen).sort((one, other) => (one.until ?? Infinity) - (other.until ?? Infinity));
}

/**
 * Those that wait now and have not waited before.
 * @param {readonly TableChoice[]} tables
 * @param {readonly TableChoice[]} before
 */
export function newCalls(tables, before) {
  return callsOf(tables).filter(({ table }) => !before.some((one) => one.table === table && one.waits));
}

/**
 * @param {TableChoice} call
 * @param {Record<string, string>} words
 */
export function callText(call, words) {
  return words.turn_there.replace("{table}", () => call.title);
}
