// The keyboard: rows have their letters, arrows go from card to card, Enter confirms.

import { may } from "../state/shown.js";
import { onControl } from "./focus.js";
import { closeMenu } from "./menu.js";
import { POPS } from "./wheel.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/**
 * What a key does; null for one that the page leaves alone.
 * @param {State} state
 * @param {string} key
 * @returns {Parameters<Send>[0] | null}
 */
function actOf(state, key) {
  const whole = state.view?.mine?.whole;
  if (key === "F" || key === "M" || key === "B") return { type: "put", row: key, onCard: document.activeElement?.matches("[data-card]") };
  if (key === "U" || key === "Backspace") return { type: "undo" };
  if (key === "A" && whole) return { type: "want", verb: "arrange" };
  if (key === "C") return { type: "seen" };
  if (key === "S" && whole) return { type: "sort" };
  if (may(state) && (key === "ArrowRight" || key === "ArrowDown")) return { type: "step", by: 1 };
  if (may(state) && (key === "ArrowLeft" || key === "ArrowUp")) return { type: "step", by: -1 };
  return key === "Enter" && !onControl() ? { type: "confirm" } : null;
}

/**
 * @param {KeyboardEvent} event
 * @param {State} state
 * @param {Send} send
 */
export function press(event, state, send) {
  if (event.key === "Escape" && !POPS && state.menu) closeMenu(send);
  if (event.key === "Escape" && state.pays) send({ type: "pays", row: "" });
  else if (event.key === "Escape" && state.seen) send({ type: "seen" });
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey || target?.matches("select, input")) return undefined;
  // A key that is held down presses once.
  const held = event.repeat && /^(.|Enter|Backspace)$/.test(event.key);
  const act = held ? null : actOf(state, event.key.length === 1 ? event.key.toUpperCase() : event.key);
  if (act) send(act);
  if (act || held) event.preventDefault();
  return undefined;
}
