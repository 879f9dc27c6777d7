// Boards that one looks at: the other players', and what a hand has come to.

import { listed, named, paused } from "./aloud.js";
import { card } from "./cards.js";
import { make, sentence, unbroken } from "./dom.js";
import { ROWS, SIZES } from "./draft.js";

/** @typedef {{ words: Record<string, string>, cards: Record<string, string>, language: string, now: () => number }} Told */

/**
 * A player's name and what the hand has brought them; on one's own board also the chips.
 * @param {import("./protocol").SeatShown} seat
 */
export function nameLine(seat) {
  const way = seat.gained.startsWith("+") ? "up" : /^[-−]/.test(seat.gained) ? "down" : "";
  return make(
    "div", { class: "name" },
    make("b", {}, make("bdi", { text: seat.name })),
    seat.you && seat.chips ? make("span", { text: seat.chips }) : null,
    seat.gained ? make("span", { class: `gained ${way}`, text: seat.gained }) : null,
  );
}

/**
 * @param {import("./protocol").SeatShown} seat
 * @param {readonly string[]} rowNames
 * @param {Told} told
 */
export function seatBoard(seat, rowNames, told) {
  const board = make("article", { class: `seat${seat.waiting ? " turn" : ""}`, "aria-label": seat.name });
  board.append(nameLine(seat), make("div", { class: "note", text: [seat.chips, seat.note].filter(Boolean).join(" · ").replaceAll(" · ", "\u00a0· ") }));
  const latest = [...seat.latest];
  ROWS.forEach((letter, number) => {
    const cards = seat.rows[number];
    const names = listed(told.words, cards.map((code) => told.cards[code])) || told.words.empty;
    const heard = paused(told.words, [named(told.words, rowNames[number], names), seat.hands[number]]);
    const row = make("div", { class: "row", role: "group", "aria-label": heard });
    const slots = make("div", { class: "slots" });
    for (const code of cards) {
      const shown = card(code, told.cards[code]);
      const at = latest.indexOf(code);
      if (at >= 0) {
        latest.splice(at, 1);
        shown.classList.add("latest");
      }
      slots.append(shown);
    }
    for (let free = cards.length; free < SIZES[letter]; free++) slots.append(make("span", { class: "slot" }));
    row.append(slots, make("div", { class: "made", text: unbroken(seat.hands[number]), "aria-hidden": "true" }));
    board.append(row);
  });
  if (seat.held.length) board.append(pile(seat.held, told.words.to_place, told));
  if (seat.discards.some((code) => code !== "?")) board.append(pile(seat.discards, told.words.discards, told));
  return board;
}

/**
 * @param {readonly string[]} cards
 * @param {string} label
 * @param {Told} told
 */
export function pile(cards, label, told) {
  return make("div", { class: "pile", role: "group", "aria-label": label }, make("span", { text: label }), ...cards.map((code) => card(code, told.cards[code])));
}

/**
 * A result. On a phone the table shows the first lines of a long one, and a button that leads to all.
 * @param {import("./protocol").ResultShown} result
 * @param {Told} told
 */
export function resultOf(result, told) {
  const list = (/** @type {readonly string[]} */ lines, /** @type {string} */ name) =>
    lines.length
      ? make("ul", { class: name }, ...lines.map((line) => make("li", {}, ...sentence(line, told.language, told.now))))
      : null;
  return make(
    "section", { id: "result", "aria-label": told.words.result, tabindex: "0" },
    make("div", { class: "head" }, make("h2", { text: result.title }),
      result.pairs.length > 1 || result.notes.length > 1 ? make("button", { type: "button", class: "all", "data-key": "details", text: told.words.details }) : null),
    list(result.totals, "totals"), list(result.notes, "notes"), list(result.pairs, "pairs"),
  );
}
