// A hint: suggestions below one's own cards, which are shown on the board and placed there.

import { listed, named, paused } from "./aloud.js";
import { heard, make, sentence } from "./dom.js";
import { ROWS } from "./draft.js";

/** @typedef {import("./protocol").Hinted} Hinted */
/** @typedef {import("./boards.js").Told} Told */

/**
 * @param {Hinted} hint
 * @param {number} shown the suggestion that is drawn on the board
 * @param {readonly string[]} cards one's own, in the order dealt
 * @param {readonly string[]} rowNames
 * @param {Told} told
 */
export function hintOf(hint, shown, cards, rowNames, told) {
  const { words, language, now } = told;
  const spoken = (/** @type {number} */ number) => suggested(hint, number, cards, rowNames, told);
  const ways = hint.placements.map((one, number) => {
    const on = { type: "button", "data-suggested": String(number) };
    const show = make("button", { ...on, "data-key": `suggested-${number}`, "aria-pressed": String(number === shown),
      "aria-label": paused(words, [spoken(number), ...heard(one.facts, language, now).split("\n")]), text: String(number + 1) });
    const place = make("button", { ...on, "data-place": "", "data-key": `place-${number}`, text: words.place_these, "aria-label": named(words, words.place_these, spoken(number)) });
    return make("div", { class: `suggested${number === shown ? " shown" : ""}`, "data-key": `suggestion-${number}` }, show, place);
  });
  // All of them have their room, so that nothing moves when another one is looked at.
  const facts = hint.placements.map((one, number) => make("p", { class: number === shown ? "" : "away" },
    ...one.facts.split("\n").map((fact) => make("span", {}, ...sentence(fact, language, now)))));
  return make("section", { id: "hint", "aria-label": words.hint },
    make("div", { class: "suggestions" }, ...ways), make("div", { class: "facts", "aria-hidden": "true" }, ...facts), make("p", { class: "small" }, ...sentence(hint.note, language, now)));
}

/**
 * Where a suggestion puts each card, for who hears it.
 * @param {Hinted} hint
 * @param {number} number
 * @param {readonly string[]} cards
 * @param {readonly string[]} rowNames
 * @param {Told} told
 */
export function suggested(hint, number, cards, rowNames, told) {
  const { words } = told;
  const { letters } = hint.placements[number];
  const rows = [...ROWS, "D"].map((letter, row) => {
    const sent = cards.filter((_, place) => letters[place] === letter);
    return sent.length ? named(words, rowNames[row] ?? words.discard, listed(words, sent.map((code) => told.cards[code]))) : "";
  });
  return paused(words, [words.hint_choice.replace("{number}", String(number + 1)), ...rows]);
}
