// Which cards move when another view comes: an order and a place for each, which tell nothing of what card it is.

/** @typedef {import("../protocol").View} View */

/**
 * A card that comes: dealt to the reader (``at`` is its place among their cards), placed by another seat, or turned up
 * where it lies (``at`` is its place in the row).
 * @typedef {{ kind: "deal" | "place" | "turn", seat: number, row: number, at: number, order: number }} Flight
 */

/**
 * The places in a row where a card has come or was turned up.
 * @param {readonly string[]} then
 * @param {readonly string[]} now
 * @returns {{ placed: number[], turned: number[] }}
 */
function newIn(then, now) {
  const left = [...then];
  const fresh = now.flatMap((code, at) => {
    const found = left.indexOf(code);
    if (found >= 0) left.splice(found, 1);
    return found >= 0 ? [] : [at];
  });
  const turned = fresh.slice(0, left.filter((code) => code === "?").length);
  return { placed: fresh.slice(turned.length), turned };
}

/**
 * The cards of a seat that come, row by row.
 * @param {import("../protocol").SeatShown} then
 * @param {import("../protocol").SeatShown} now
 * @param {number} seat
 * @returns {Flight[]}
 */
function toSeat(then, now, seat) {
  if (now.rows.some((row, number) => row.length < then.rows[number].length)) return []; // another hand
  let order = 0;
  return now.rows.flatMap((cards, row) => {
    const { placed, turned } = newIn(then.rows[row], cards);
    return [
      ...turned.map((at) => ({ kind: /** @type {const} */ ("turn"), seat, row, at, order: 0 })),
      ...placed.map((at) => ({ kind: /** @type {const} */ ("place"), seat, row, at, order: order++ })),
    ];
  });
}

/**
 * @param {View | null} before
 * @param {View | null} after
 * @returns {Flight[]}
 */
export function flightsOf(before, after) {
  if (!before || !after || before.table !== after.table || before.seats.length !== after.seats.length) return [];
  const { mine } = after;
  const dealt = mine && mine.turn !== before.mine?.turn && String(mine.cards) !== String(before.mine?.cards) ? mine.cards : [];
  return [
    ...after.seats.flatMap((seat, number) => (seat.you || seat.name !== before.seats[number].name ? [] : toSeat(before.seats[number], seat, number))),
    ...dealt.map((_, at) => ({ kind: /** @type {const} */ ("deal"), seat: 0, row: 0, at, order: at })),
  ];
}
