// A large screen: the others sit in an arc, one's own board lies below it and is larger. Sizes are computed, not tried.

const SHAPE = 1.36; // how tall a card is, by its width
export const TALL = 3 * SHAPE; // and a board's three rows
export const SEAT = 26; // how much wider than five cards a seat is (style.css)
const MOST = 118;
const LEAST = 20;
const OWN_SHARE = 0.62; // so much of the height for cards is for one's own
const OTHERS = 0.85; // others' cards are at most so large, of one's own
const GAP = 5; // between cards in the tray
const TRAY = 8; // around them
const LINE = 7; // of a whole hand so many stand in a line
const SMALLER = 0.7; // cards in the tray may be so much smaller to stand in one line
const BETWEEN = 12; // seats (style.css)

/**
 * How far down each of the others sits, in shares: those at the ends the lowest.
 * @param {number} count
 */
export function dips(count) {
  const half = (count - 1) / 2;
  return Array.from({ length: count }, (_, at) => (count < 3 ? 0 : Math.round(((at - half) / half) ** 2 * 100) / 100));
}

/**
 * What a layout has told, in pixels: the room, and what stands around cards, which is as large with cards of any size.
 * @typedef {object} Room
 * @property {number} wide
 * @property {number} tall
 * @property {number} seats how many others
 * @property {number} around how much taller others' boards are than their cards, all in all
 * @property {number} beside how much wider one of them is
 * @property {number} board how much taller one's own board is than its cards, with all that stands above it
 * @property {number} edge how much wider it is
 * @property {number} side how wide what stands beside it is at least
 */

/**
 * The largest cards: one's own have most of the height, and the others what is left of it. Many others sit in two lines.
 * @param {Room} room
 * @returns {{ own: number, other: number, lines: number }}
 */
export function arcSizes(room) {
  const widest = Math.min(MOST, (room.wide - room.edge - room.side) / 5);
  const tries = [1, 2].filter((lines) => lines === 1 || room.seats > 3).map((lines) => {
    const abreast = Math.ceil(room.seats / lines);
    const across = (room.wide - BETWEEN * (abreast - 1)) / abreast - room.beside;
    const total = (room.tall - room.board - room.around * lines) / TALL;
    // Of two lines each has as much around it, and as many cards.
    const most = Math.min(across / 5, MOST);
    const first = Math.min(widest, total * OWN_SHARE);
    const other = Math.min(most, (total - first) / lines, first * OTHERS);
    const own = Math.min(widest, total - other * lines);
    return { own: Math.max(LEAST, Math.floor(own)), other: Math.max(LEAST * 0.75, Math.floor(other)), lines };
  });
  const worth = (/** @type {{ own: number, other: number }} */ { own, other }) => Math.min(own, 90) + 1.2 * other;
  return tries.reduce((best, one) => (worth(one) > worth(best) ? one : best));
}

/**
 * How large the cards in the tray are, and how many stand in a line.
 * @param {number} held
 * @param {number} own
 * @param {number} side how wide the tray is
 */
export function traySizes(held, own, side) {
  const fitting = (/** @type {number} */ count) => (side - TRAY + GAP) / count - GAP;
  if (held >= LINE) {
    const row = Math.ceil(held / Math.ceil(held / LINE));
    return { hand: Math.floor(Math.min(own, fitting(row))), row };
  }
  if (fitting(held) >= own * SMALLER) return { hand: Math.floor(Math.min(own, fitting(held))), row: Math.max(1, held) };
  const abreast = Math.max(1, Math.floor((side - TRAY + GAP) / (own + GAP)));
  return { hand: own, row: Math.ceil(held / Math.ceil(held / abreast)) };
}
