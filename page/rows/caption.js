// What is told of a row while its player places cards: what it makes, what it pays and what is missing.

import { codeOf, earning, entryOf, royaltyOf } from "./judge.js";
import { SUIT_SIGNS } from "./left.js";
import { categoryName, codeName, codesIn, filled, handName, rankName, signed } from "./names.js";
import { CATEGORIES, categoryOf, FLUSH, FULL_HOUSE, HIGH_CARD, mayBeLow, PAIR, rankOf, ROYAL_FLUSH, SIZES, STRAIGHT, STRAIGHT_FLUSH, TRIPS } from "./strength.js";

/** @typedef {import("./strength.js").RowRules} RowRules */
/** @typedef {import("./strength.js").Place} Place */
/** @typedef {import("./draws.js").DrawTo} DrawTo */
/** @typedef {{ readonly words: Readonly<Record<string, string>>, readonly hands: import("./names.js").HandWords }} Told */

const IN_ONE_SUIT = [FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH];
/** More ranks than that aren't listed. */
const FEW_RANKS = 2;

/**
 * A hand with what it earns.
 * @param {Told} told
 * @param {string} name
 * @param {number} points
 * @param {number} entry
 */
function earned({ words }, name, points, entry) {
  const hand = points ? filled(words.row_pays, { hand: name, points: signed(points) }) : name;
  return entry ? filled(words.row_enters, { hand }) : hand;
}

/** How strong a front is at least that earns an entry by this code. @param {string} code */
const entered = (code) => (code === "trips" ? TRIPS << 20 : (code.length === 2 ? PAIR : TRIPS) << 20 | rankOf(code) << 16);

/**
 * @param {Told} told
 * @param {Place} place
 * @param {readonly string[]} cards
 * @param {DrawTo} draw
 * @param {boolean} aloud suits by name
 */
function drawText({ words, hands }, place, cards, draw, aloud) {
  const { strength, needed: count, left, points, entry, ranks } = draw;
  const category = categoryOf(strength);
  const hand = earned({ words, hands }, place ? categoryName(category, hands) : codeName(codeOf(place, strength), hands), points, entry);
  const suit = cards.find((card) => card[1] in SUIT_SIGNS)?.[1] ?? "";
  if (IN_ONE_SUIT.includes(category) && suit) {
    const named = aloud ? hands[`suit.${suit}`] : SUIT_SIGNS[suit];
    return filled(aloud ? words.row_suit_heard : words.row_suit, { hand, count, suit: named, left });
  }
  if (category === FULL_HOUSE && count === 2 && ranks.length > FEW_RANKS + 1) return filled(words.row_any_pair, { hand });
  if (category === STRAIGHT && count === 1 && ranks.length <= FEW_RANKS) return filled(words.row_ranks, { hand, ranks: ranks.map(rankName).join("/"), left });
  return filled(count === 1 ? words.row_one : words.row_more, { hand, count, left });
}

/**
 * A caption: what a row makes, in parts, and what it can still become.
 * @param {Told} told
 * @param {RowRules} rules
 * @param {Place} place
 * @param {readonly string[]} cards
 * @param {{ judged: import("./judge.js").Judged, held: number, draw: DrawTo | undefined, most: number, aloud: boolean }} what ``most``
 * is how strong the row may become
 */
export function captionOf(told, rules, place, cards, { judged, held, draw, most, aloud }) {
  const { words, hands } = told;
  const parts = [];
  const strength = judged.strengths[place];
  const category = categoryOf(strength);
  const foul = judged.order === "foul";
  const full = cards.length === SIZES[place];
  const asLow = place === 1 && rules.low_middle;
  // A pair in the front can only become better: what it earns is told, and not what it might become.
  const entry = held || place || foul ? 0 : entryOf(rules, strength);
  const sure = place === 0 && !full && !foul && category === PAIR ? royaltyOf(rules, 0, strength) : 0;
  if (!full && (sure || entry)) return { made: [earned(told, codeName(codeOf(0, strength), hands), sure, entry)], draw: "" };
  if (cards.length && (category > HIGH_CARD || full || !draw)) {
    const points = foul ? 0 : judged.royalties[place];
    const hand = handName(strength, hands);
    const name = asLow && !full ? filled(hands[mayBeLow(strength) ? "panel.low_so_far" : "panel.no_low"], { hand }) : hand;
    parts.push(points ? filled(words.row_pays, { hand: name, points: signed(points) }) : name);
  }
  const wins = full && !foul ? rules.wins[place][CATEGORIES[category]] : 0;
  if (wins) parts.push(filled(words.row_wins, { points: wins }));
  if (foul && place === (judged.clash ? judged.clash[0] : 1)) parts.push(words.row_foul);
  if (judged.fantasyland && earning(rules, judged.strengths, held)[place]) parts.push(words.row_fantasyland);
  const [least] = codesIn(rules.fantasyland?.entry ?? {});
  if (!cards.length && place === 0 && !held && least && entered(least) <= most) parts.push(filled(words.row_entry, { hand: least === "trips" ? categoryName(TRIPS, hands) : codeName(least, hands) }));
  return { made: parts, draw: draw && !foul ? drawText(told, place, cards, draw, aloud) : "" };
}
