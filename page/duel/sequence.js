// The end of a hand as a sequence: what each row, each bonus and each player has come to, step by step.

/** @typedef {import("../protocol").Duel} Duel */
/** @typedef {import("../protocol").PairScored} PairScored */

const ROW_STEPS = /** @type {const} */ (["front", "middle", "back"]);
/** The bonuses of a pair, in the order in which they are told. */
export const BONUSES = /** @type {const} */ (["scoop", "majority", "two_rows", "total", "instead"]);

/** @typedef {typeof ROW_STEPS[number] | "more" | "fantasyland"} Step */
/** @typedef {{ kind: typeof BONUSES[number], points: number }} Bonus */

/**
 * A seat's part: the points and royalties of each row, its bonuses, and its points after each step.
 * @typedef {object} Part
 * @property {readonly { points: number, royalty: number }[]} rows
 * @property {readonly Bonus[]} more
 * @property {readonly number[]} totals
 */

/**
 * @typedef {object} Sequence
 * @property {readonly Step[]} steps those that have something to tell
 * @property {readonly Part[]} seats
 */

/**
 * A pair's points from the side of one of its seats.
 * @param {PairScored} pair
 * @param {number} seat
 * @param {number} points
 */
const sided = (pair, seat, points) => (pair.first === seat ? points : -points || 0);

/**
 * The pairs in which a seat is.
 * @param {Duel} duel
 * @param {number} seat
 */
export const pairsOf = ({ pairs }, seat) => pairs.filter(({ first, second }) => first === seat || second === seat);

/**
 * A pair as one of its seats sees it.
 * @param {PairScored} pair
 * @param {number} seat
 * @returns {PairScored}
 */
export function seenBy(pair, seat) {
  if (pair.first === seat) return pair;
  const side = (/** @type {number} */ points) => sided(pair, seat, points);
  const [front, middle, back] = pair.rows;
  return {
    ...pair, first: pair.second, second: pair.first, rows: [side(front), side(middle), side(back)], scoop: side(pair.scoop), majority: side(pair.majority),
    two_rows: side(pair.two_rows), total: side(pair.total), royalties: side(pair.royalties), instead: side(pair.instead), points: side(pair.points),
  };
}

/**
 * The bonuses of a pair that are worth something.
 * @param {PairScored} pair
 * @returns {Bonus[]}
 */
export const bonusesOf = (pair) => BONUSES.map((kind) => ({ kind, points: pair[kind] })).filter(({ points }) => points);

/**
 * What a seat's royalties for a row have brought it: those of both, where the rows of the pair count.
 * @param {Duel} duel
 * @param {PairScored} pair
 * @param {number} row
 */
function royaltiesOf({ seats }, pair, row) {
  return pair.why ? 0 : seats[pair.first].royalties[row] - seats[pair.second].royalties[row];
}

/**
 * @param {Duel} duel
 * @param {number} seat
 * @returns {Part}
 */
function partOf(duel, seat) {
  const pairs = pairsOf(duel, seat).map((pair) => seenBy(pair, seat));
  const sum = (/** @type {(pair: PairScored) => number} */ points) => pairs.reduce((all, pair) => all + points(pair), 0);
  const counts = pairs.some(({ why }) => !why);
  const rows = ROW_STEPS.map((_, row) => ({ points: sum((pair) => pair.rows[row]), royalty: counts ? duel.seats[seat].royalties[row] : 0 }));
  const more = BONUSES.map((kind) => ({ kind, points: sum((pair) => pair[kind]) })).filter(({ points }) => points);
  let total = 0;
  const totals = rows.map(({ points }, row) => (total += points + sum((pair) => royaltiesOf(duel, pair, row))));
  return { rows, more, totals: [...totals, duel.seats[seat].points] };
}

/**
 * @param {Duel} duel
 * @returns {Sequence}
 */
export function sequenceOf(duel) {
  const seats = duel.seats.map((_, seat) => partOf(duel, seat));
  const rowsCount = duel.pairs.some(({ why }) => !why);
  /** @type {[Step, boolean][]} */
  const told = [
    ...ROW_STEPS.map((step) => /** @type {[Step, boolean]} */ ([step, rowsCount])),
    ["more", seats.some(({ more }) => more.length)], ["fantasyland", duel.seats.some(({ fantasyland }) => fantasyland)],
  ];
  const steps = told.filter(([, tells]) => tells).map(([step]) => step);
  return { steps, seats };
}

/**
 * A seat's points after each step of the sequence, each where they change.
 * @param {Sequence} sequence
 * @param {number} seat
 * @returns {{ step: number, total: number }[]}
 */
export function countOf({ steps, seats }, seat) {
  const { totals } = seats[seat];
  let before = 0;
  return steps.flatMap((step, number) => {
    const total = step === "fantasyland" ? before : totals[step === "more" ? 3 : ROW_STEPS.indexOf(step)];
    const changed = total !== before;
    before = total;
    return changed ? [{ step: number, total }] : [];
  });
}

/**
 * The reader's points of the last hand, or those of whoever won it, with the player that is named then.
 * @param {import("../state/ended.js").Ended} ended
 */
export function scoreOf({ view }) {
  const { seats = [] } = view.result?.duel ?? {};
  const best = seats.reduce((most, { points }, seat) => (points > seats[most].points ? seat : most), 0);
  const own = view.seats.findIndex(({ you }) => you);
  const seat = own >= 0 && own < seats.length ? own : best;
  return { points: seats[seat]?.points ?? 0, name: seat === own ? "" : view.seats[seat].name };
}
