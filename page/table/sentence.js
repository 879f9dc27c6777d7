// Sentences as they are shown: moments that count down, bold parts, cards drawn as cards.

import { html, nothing } from "lit-html";
import { moment } from "../state/aloud.js";

/** @typedef {import("../state/aloud.js").Told} Told */

/**
 * The same text, in which no line ends behind the hyphen of "A-high".
 * @param {string} text
 */
export function unbroken(text) {
  return text.replace(/(^|[^\w-])(\w\w?)-(?=\w)/g, "$1$2\u2011");
}

const PARTS = /([\x02\x03]|<t:\d+(?::\w)?>|(?:10|[2-9TJQKA])[♣♦♥♠]\ufe0e?|🃏)/u;
/** @type {Record<string, string>} */
const SUITS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/**
 * A sentence in which moments count down: "<t:12:R>" is one, in seconds since 1970. What stands between \x02 and \x03 is bold.
 * @param {string} said
 * @param {Told} told
 * @param {(code: string) => unknown} [face] draws the cards that the sentence names
 */
export function sentence(said, told, face) {
  /** @type {unknown[]} */
  const made = [];
  /** @type {unknown[] | null} */
  let bold = null;
  for (const part of said.split(PARTS)) {
    if (part === "\x02") made.push([bold = []]);
    else if (part === "\x03") bold = null;
    else if (part.startsWith("<t:")) (bold ?? made).push(html`<time>${moment(part, told)}</time>`);
    else if (part) (bold ?? made).push((face && cardIn(part, face)) ?? unbroken(part));
  }
  return made.map((one) => (Array.isArray(one) ? html`<b>${one[0]}</b>` : one));
}

/**
 * @param {string} part
 * @param {(code: string) => unknown} face
 */
function cardIn(part, face) {
  if (part === "🃏") return face("X1");
  const [, rank, suit] = /^(10|[2-9TJQKA])([♣♦♥♠])\ufe0e?$/u.exec(part) ?? [];
  return suit ? face(`${rank.replace("10", "T")}${SUITS[suit]}`) : null;
}

/**
 * What is there only with a text or a value.
 * @template T
 * @param {T | null | undefined | false | ""} given
 * @param {(given: T) => unknown} shown
 */
export const when = (given, shown) => (given ? shown(given) : nothing);
