// The half-made placement: the page's own business, until it is confirmed.

export const ROWS = /** @type {const} */ (["F", "M", "B"]);
export const SIZES = { F: 3, M: 5, B: 5 };
/** @typedef {"F" | "M" | "B"} Row */

export class Draft {
  /**
   * @param {import("./protocol").Mine} mine
   * @param {readonly (readonly string[])[]} rows what lies on the board already
   */
  constructor(mine, rows) {
    this.count = mine.cards.length;
    this.toPlace = mine.to_place;
    this.there = { F: rows[0].length, M: rows[1].length, B: rows[2].length };
    /** @type {(Row | ".")[]} */
    this.places = [];
    /** @type {number[]} The cards in the order in which they were placed. */
    this.order = [];
    /** @type {number | null} */
    this.chosen = null;
    this.take(mine.draft.letters);
  }

  /** @param {string} letters */
  take(letters) {
    this.places = Array.from({ length: this.count }, (_, place) => {
      const letter = letters[place];
      return letter === "F" || letter === "M" || letter === "B" ? letter : ".";
    });
    this.order = this.places.flatMap((letter, place) => (letter === "." ? [] : [place]));
    this.chosen = null;
  }

  get letters() {
    return this.places.join("");
  }

  get complete() {
    return this.order.length === this.toPlace;
  }

  /** @param {Row} row */
  room(row) {
    return SIZES[row] - this.there[row] - this.places.filter((letter) => letter === row).length;
  }

  /**
   * The card that goes where the next row is tapped.
   * @param {readonly number[]} shown the cards in the order in which they stand
   */
  next(shown) {
    if (this.chosen !== null && this.places[this.chosen] === ".") return this.chosen;
    if (this.complete) return null;
    const last = this.order.at(-1);
    const from = last === undefined ? 0 : shown.indexOf(last) + 1;
    const turn = [...shown.slice(from), ...shown.slice(0, from)];
    return turn.find((place) => this.places[place] === ".") ?? null;
  }

  /**
   * True where it lies there now. Where a whole board is set, the last row fills itself once nothing else is possible.
   * @param {number} place
   * @param {Row} row
   */
  put(place, row) {
    if (this.places[place] === row) return true;
    const moved = this.places[place] !== ".";
    if (this.complete && !moved) {
      // It takes the place of the card that was placed last, where that leaves room for it.
      const last = this.order.at(-1);
      if (last === undefined || this.room(row) + (this.places[last] === row ? 1 : 0) <= 0) return false;
      this.back(last);
    } else if (this.room(row) <= 0) return false;
    this.back(place);
    this.places[place] = row;
    this.order.push(place);
    this.chosen = null;
    const rooms = ROWS.filter((one) => this.room(one) > 0);
    if (!moved && this.count === this.toPlace && this.count === 13 && rooms.length === 1 && rooms[0] !== row) {
      this.places.forEach((letter, rest) => {
        if (letter === ".") {
          this.places[rest] = rooms[0];
          this.order.push(rest);
        }
      });
    }
    return true;
  }

  /**
   * Two cards change places.
   * @param {number} one
   * @param {number} other
   */
  swap(one, other) {
    [this.places[one], this.places[other]] = [this.places[other], this.places[one]];
    this.order = this.order.filter((place) => this.places[place] !== ".");
    for (const place of [one, other]) {
      if (this.places[place] !== "." && !this.order.includes(place)) this.order.push(place);
    }
    this.chosen = null;
  }

  /** @param {number} place */
  back(place) {
    this.places[place] = ".";
    this.order = this.order.filter((other) => other !== place);
  }

  undo() {
    const last = this.order.at(-1);
    if (last === undefined) return null;
    this.back(last);
    this.chosen = last;
    return last;
  }

  clear() {
    this.places.fill(".");
    this.order = [];
    this.chosen = null;
  }
}
