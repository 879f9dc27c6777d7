// Another of one's tables waits for one: a line says so above the table that is shown, and leads there.

import { timeLeft } from "./clock.js";
import { byId, make } from "./dom.js";

/** @typedef {import("./protocol").TableChoice} TableChoice */

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

/** @type {TableChoice | undefined} */
let called;

/**
 * @param {readonly TableChoice[]} tables
 * @param {import("./boards.js").Told} told
 */
export function drawCall(tables, told) {
  const line = byId("call");
  [called] = callsOf(tables);
  line.hidden = !called;
  if (!called) return;
  const text = callText(called, told.words);
  line.title = text;
  line.replaceChildren(make("b", { text }), make("span", { class: "left" }));
  tickCall(told);
}

/** @param {import("./boards.js").Told} told */
export function tickCall(told) {
  const left = byId("call").querySelector(".left");
  if (!left || !called) return;
  const said = called.until === null ? "" : timeLeft(called.until - told.now(), told.language);
  if (left.textContent !== said) left.textContent = said;
}

/** @param {(table: number) => void} look */
export function answerCalls(look) {
  byId("call").addEventListener("click", () => {
    if (called) look(called.table);
  });
}
