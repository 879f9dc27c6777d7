// What has happened, for who hears it.

import { linesOf } from "./ended.js";
import { listed, named, paused } from "./aloud.js";
import { callText, newCalls } from "./calls.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../protocol").View} View */

/**
 * The cards that were placed last, row by row.
 * @param {State} state
 * @param {import("../protocol").SeatShown} seat
 * @param {readonly string[]} rowNames
 */
function placedOn(state, seat, rowNames) {
  const latest = [...seat.latest];
  return seat.rows.flatMap((row, number) => {
    const added = row.filter((code) => latest.includes(code) && latest.splice(latest.indexOf(code), 1));
    return added.length ? [named(state, rowNames[number], listed(state, added.map((code) => state.cards[code])))] : [];
  });
}

/**
 * @param {State} state
 * @param {View | null} before
 * @param {View} seen
 */
export function newsOf(state, before, seen) {
  const lines = [];
  if (before && before.table === seen.table) {
    for (const seat of seen.seats) {
      const then = before.seats.find((one) => one.name === seat.name);
      if (!seat.you && seat.latest.length && then && String(then.latest) !== String(seat.latest)) {
        lines.push(seat.name, ...placedOn(state, seat, seen.row_names));
      }
    }
  }
  if (seen.result && (seen.table !== before?.table || seen.result.title !== before.result?.title)) lines.push(...linesOf(seen));
  if (seen.status !== before?.status) lines.push(seen.status);
  if (seen.mine?.draft.confirm.verb && seen.mine.turn !== before?.mine?.turn) {
    lines.push(named(state, state.words.cards, listed(state, seen.mine.cards.map((code) => state.cards[code]))));
  }
  lines.push(...newCalls(seen.tables, before?.tables ?? []).map((call) => callText(call, state.words)));
  return lines.length ? paused(state, lines) : "";
}
