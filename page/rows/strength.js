// How strong a row is, as a number: its category, then the ranks that are compared. As bot/pure/ofc/ranks.py and wild.py.

/** @typedef {import("../protocol").RowRules} RowRules */
/** @typedef {0 | 1 | 2} Place front, middle or back */

export const CATEGORIES = /** @type {const} */ ([
  "high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush",
  "royal_flush", "five_of_a_kind", "low",
]);
export const [HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH, FIVE, LOW] = CATEGORIES.keys();
export const RANKS = "23456789TJQKA";
export const SIZES = [3, 5, 5];
export const ACE = 14;
const MAX_LOW_RANK = 10;
const LOW_COMPLEMENT = 0xFFFFF;
/** The category of two groups by the sizes of both. */
const GROUPS = new Map([[11, HIGH_CARD], [21, PAIR], [22, TWO_PAIR], [31, TRIPS], [32, FULL_HOUSE], [41, QUADS]]);

/** @param {string} card */
export const isJoker = (card) => card[0] === "X";
/** @param {string} card */
export const rankOf = (card) => RANKS.indexOf(card[0]) + 2;
/** @param {number} strength */
export const categoryOf = (strength) => strength >> 20;
/** @param {number} strength */
export const topRank = (strength) => strength >> 16 & 15;
/** @param {number} strength */
export const secondRank = (strength) => strength >> 12 & 15;

/**
 * @param {number} category
 * @param {readonly number[]} ranks
 */
function encode(category, ranks) {
  return ranks.reduce((value, rank, place) => value | rank << 4 * (4 - place), category << 20);
}

/**
 * The ranks with their counts, the largest group first and the highest rank first among equals.
 * @param {readonly number[]} ranks
 */
function groupsOf(ranks) {
  const counts = /** @type {Map<number, number>} */ (new Map());
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  return [...counts].sort(([rank, count], [other, of]) => of - count || other - rank);
}

/** @param {readonly (readonly [number, number])[]} groups */
function grouped(groups) {
  const [first, second] = groups;
  const category = first?.[1] === 5 ? FIVE : GROUPS.get(10 * (first?.[1] ?? 1) + (second?.[1] ?? 1)) ?? HIGH_CARD;
  return encode(category, groups.map(([rank]) => rank));
}

/**
 * The top of five ranks in sequence, highest first; 0 if they aren't. The ace may also be low.
 * @param {readonly number[]} ranks
 */
function straightTop([top, second, , , low]) {
  if (top - low === 4) return top;
  return top === ACE && second === 5 ? 5 : 0;
}

/**
 * The strength of three or five ranks.
 * @param {readonly number[]} ranks
 * @param {boolean} suited
 */
function ranked(ranks, suited) {
  const groups = groupsOf(ranks);
  const top = ranks.length === 5 && groups.length === 5 ? straightTop(groups.map(([rank]) => rank)) : 0;
  if (suited && top) return encode(top === ACE ? ROYAL_FLUSH : STRAIGHT_FLUSH, [top]);
  if (suited) return encode(FLUSH, [...ranks].sort((one, other) => other - one));
  return top ? encode(STRAIGHT, [top]) : grouped(groups);
}

/**
 * The strength of a row that isn't full: its groups and kickers. Jokers join the largest group.
 * @param {readonly number[]} ranks
 * @param {number} jokers
 */
function partial(ranks, jokers) {
  const most = groupsOf(ranks)[0]?.[0] ?? ACE;
  return grouped(groupsOf([...ranks, ...Array(jokers).fill(most)]));
}

/**
 * Every way in which a number of ranks can be chosen, also more than once.
 * @param {number} count
 * @param {number} [from]
 * @returns {number[][]}
 */
function choices(count, from = 2) {
  if (!count) return [[]];
  const found = [];
  for (let rank = from; rank <= ACE; rank++) for (const rest of choices(count - 1, rank)) found.push([rank, ...rest]);
  return found;
}

/**
 * All strengths that a full row with jokers can have.
 * @param {RowRules} rules
 * @param {readonly number[]} ranks
 * @param {number} jokers
 * @param {boolean} suited
 */
function withJokers(rules, ranks, jokers, suited) {
  const found = /** @type {Set<number>} */ (new Set());
  for (const added of choices(jokers)) {
    const plain = ranked([...ranks, ...added], false);
    if (rules.joker_may_copy || categoryOf(plain) !== FIVE) found.add(plain);
    const free = (/** @type {number} */ rank) => rules.double_ace_flush && rank === ACE;
    const distinct = added.every((rank, place) => free(rank) || (!ranks.includes(rank) && added.indexOf(rank) === place));
    if (suited && distinct) found.add(ranked([...ranks, ...added], true));
  }
  return [...found].sort((one, other) => other - one);
}

/** @param {readonly string[]} cards */
export function isSuited(cards) {
  const natural = cards.filter((card) => !isJoker(card));
  return natural.length > 0 && natural.every((card) => card[1] === natural[0][1]);
}

/** @param {number} strength of a middle that must be a low */
function asLow(strength) {
  const low = categoryOf(strength) === HIGH_CARD && topRank(strength) <= MAX_LOW_RANK;
  return low ? LOW << 20 | LOW_COMPLEMENT - strength : strength;
}

/**
 * The ranks of a low, highest first.
 * @param {number} strength
 */
export function lowRanks(strength) {
  const high = LOW_COMPLEMENT - (strength & LOW_COMPLEMENT);
  return [16, 12, 8, 4, 0].map((shift) => high >> shift & 15);
}

/**
 * True if a middle can still become a low.
 * @param {number} strength
 */
export const mayBeLow = (strength) => categoryOf(strength) === HIGH_CARD && topRank(strength) <= MAX_LOW_RANK;

/**
 * All strengths that a row can have, strongest first; more than one only with jokers. Of a row that isn't full, they are
 * those of its cards with and without jokers.
 * @param {RowRules} rules
 * @param {Place} place
 * @param {readonly string[]} cards
 */
export function possible(rules, place, cards) {
  const ranks = cards.filter((card) => !isJoker(card)).map(rankOf);
  const jokers = cards.length - ranks.length;
  if (cards.length < SIZES[place]) {
    const least = partial(ranks, 0);
    return jokers ? [partial(ranks, jokers), least] : [least];
  }
  const suited = cards.length === 5 && isSuited(cards);
  if (jokers) return withJokers(rules, ranks, jokers, suited);
  const strength = ranked(ranks, suited);
  return [place === 1 && rules.low_middle ? asLow(strength) : strength];
}
