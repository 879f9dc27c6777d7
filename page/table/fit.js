// Sizes: cards are as large as the screen allows, one's own first.

import { tells } from "../state/ended.js";
import { arcSizes, SEAT, TALL, traySizes } from "./arc.js";

const LEAST = 20;
const SMALLEST = 18; // of others, who get still smaller on a narrow phone, or on one that lies
const SMALLEST_OF_ALL = 15;
const NARROW = 340;
const MOST = 118;
const ENOUGH = 58; // up to here one's own come first
const READ = 23; // up to here others' cards are hard to read
const LARGE = 84; // one's own cards need not be larger for others to be smaller
const SHAPE = 1.36; // how tall a card is, by its width
const MOST_FOUND = 100;
const CLOSE = 1.025; // by so little more a further layout is not worth its time
const MOST_LAYOUTS = 7; // after so many the best so far is good enough
const TAPPED = 30; // one's own cards that are narrower are hard to tap
const LINE = 7; // of a whole hand at most so many stand in a line
const SHORT_LINE = 5; // on a narrow phone that lies, where they stand beside the board
const SHORT = 700;
const ROUNDED = 2; // what is measured in whole pixels may be off by so many
const WATCHED = 300; // the column of what is told to who watches (--wide in style.css)
const WATCHED_SHARE = 0.36; // so much of a narrow screen is that column at most
/**
 * What is tried where one's own cards become too small: others side by side, less around them. Where text is too wide
 * for even that, in a large font say, a result keeps its totals alone and the buttons share one line.
 */
const WAYS = [["abreast"], ["tight"], ["abreast", "tight"]];
const BRIEF = [["brief", "tight"], ["brief", "abreast", "tight"]];
/** What is told to who watches stands beside the boards, or below them where those come out larger. */
const BELOW = "stacked";

/**
 * Find the largest cards, and the arrangement that they need.
 * @param {HTMLElement} main
 * @param {number} held how many cards wait to be placed
 * @param {boolean} over true once the hand is over: then all boards are looked at alike
 */
function fit(main, held, over) {
  const arrange = (/** @type {string[]} */ way) => {
    main.classList.remove("abreast", "tight", "brief", BELOW);
    main.classList.add(...way);
  };
  for (const size of ["--row", "--lines"]) main.style.removeProperty(size);
  arrange([]);
  let best = { ...largest(main, held, over), way: /** @type {string[]} */ ([]) };
  let tried = best.way;
  const attempt = (/** @type {string[]} */ way) => {
    arrange(tried = way);
    const found = largest(main, held, over);
    // Where nothing fits, what's left outside is as little as possible.
    if (found.worth > best.worth * 1.05 || (!best.worth && found.outside < best.outside)) best = { ...found, way };
  };
  const below = isGrid(main) && watching();
  if (below) attempt([BELOW]);
  for (const way of [...WAYS, ...BRIEF]) {
    // A result is shortened only where nothing fits.
    if (best.own >= TAPPED || (over && best.worth && BRIEF.includes(way))) break;
    attempt(way);
    if (below) attempt([BELOW, ...way]);
  }
  if (tried !== best.way) {
    arrange(best.way);
    best.put();
  }
  even(main);
}

const SIDE = 310; // how wide what stands beside one's own board is at least, and its share of a wide screen (style.css)
const SIDE_SHARE = 0.31;
const APART = 14; // how far beside (style.css)
const MOST_ARCS = 3;

/**
 * Sizes for a large screen: one layout tells how tall all is that isn't cards, so how large cards may be. The next one
 * shows whether text then needs more.
 * @param {HTMLElement} main
 * @param {number} held how many cards wait to be placed
 */
function fitArc(main, held) {
  const { style } = main;
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (main.querySelector(name));
  main.classList.remove("abreast", "tight", "brief", BELOW);
  const [others, board, name] = ["#others", "#own .board", "#own > .name"].map(part);
  const { paddingTop, paddingLeft, rowGap } = getComputedStyle(main);
  const at = (/** @type {string} */ size, /** @type {number} */ first) => parseFloat(style.getPropertyValue(size)) || first;
  const [own, other, lines] = [at("--own", 60), at("--oth", 36), at("--lines", 1)];
  const wide = main.clientWidth - 2 * parseFloat(paddingLeft);
  const room = {
    wide, tall: main.clientHeight - 2 * parseFloat(paddingTop), seats: others.childElementCount,
    around: others.offsetHeight / lines - TALL * other, beside: SEAT,
    board: board.offsetHeight - TALL * own + name.offsetHeight + 2 * parseFloat(rowGap),
    edge: board.offsetWidth - 5 * own, side: Math.max(SIDE, SIDE_SHARE * wide) + APART,
  };
  for (let layouts = 0; layouts < MOST_ARCS; layouts++) {
    const sizes = arcSizes(room);
    const beside = held >= LINE ? wide - room.edge - 5 * sizes.own - APART : room.side - APART;
    const { hand, row } = traySizes(held, sizes.own, beside);
    const put = { "--own": `${sizes.own}px`, "--oth": `${sizes.other}px`, "--hand": `${hand}px`, "--row": row, "--line": row, "--lines": sizes.lines, "--abreast": Math.ceil(room.seats / sizes.lines), "--wrap": sizes.lines > 1 ? "wrap" : "nowrap" };
    for (const [size, value] of Object.entries(put)) style.setProperty(size, String(value));
    const outside = main.scrollHeight - main.clientHeight;
    if (outside <= 1) break;
    room.tall -= outside + TALL;
  }
}

/** @param {HTMLElement} main */
function isGrid(main) {
  return getComputedStyle(main).display === "grid";
}

/** True for who watches, and has no board of their own. */
function watching() {
  return document.documentElement.classList.contains("watches");
}

/**
 * Put as many cards into each line of the tray, where one line doesn't hold them: four and one look as if one was left.
 * @param {HTMLElement} main
 */
function even(main) {
  const tops = [...main.querySelectorAll("#tray:not(.whole) [data-card]")].map((one) => /** @type {HTMLElement} */ (one).offsetTop);
  const lines = new Set(tops).size;
  if (lines > 1) main.style.setProperty("--row", String(Math.ceil(tops.length / lines)));
}

/**
 * How wide a seat has to be for its cards. It may be wider, which it needn't be to stand beside others.
 * @param {Element} seat
 */
function needed(seat) {
  const { paddingLeft, borderLeftWidth } = getComputedStyle(seat);
  // As laid out: a card that has just come is drawn larger for a moment.
  const across = [...seat.querySelectorAll(".slots, .pile")].map((row) => {
    const cards = /** @type {HTMLElement[]} */ ([...row.children]);
    return Math.max(...cards.map((one) => one.offsetLeft + one.offsetWidth)) - Math.min(...cards.map((one) => one.offsetLeft));
  });
  return Math.max(...across) + 2 * (parseFloat(paddingLeft) + parseFloat(borderLeftWidth));
}

/**
 * Each try is a layout of the whole table, which is what takes time. So a layout also tells how tall one's own part and
 * a seat are; what either grows by with its cards tells which cards to try next. Mostly the second or third is the last.
 * @param {HTMLElement} main
 * @param {number} held how many cards wait to be placed
 * @param {boolean} over true once the hand is over: then all boards are looked at alike
 */
function largest(main, held, over) {
  const { paddingTop, paddingLeft, columnGap } = getComputedStyle(main);
  const beside = isGrid(main);
  // Who watches has no board of their own: how large its cards would be takes no room (--wide in style.css).
  const watches = watching();
  const low = matchMedia("(max-height: 480px) and (orientation: landscape)").matches;
  const lying = beside && !watches && low;
  // Read once: between two sizes it would cost a layout of its own.
  const width = main.offsetWidth;
  const { rowGap } = getComputedStyle(/** @type {HTMLElement} */ (main.querySelector("#others")));
  const smallest = lying || (watches && low) || width < NARROW ? SMALLEST_OF_ALL : SMALLEST;
  const gap = parseFloat(rowGap);
  const inside = main.offsetHeight - 2 * parseFloat(paddingTop);
  const across = width - 2 * parseFloat(paddingLeft);
  const widest = Math.floor(Math.min(MOST, (width - 46) / 5));
  const seats = [...main.querySelectorAll("#others .seat")];

  const whole = held >= LINE;
  const most = lying && width < SHORT ? SHORT_LINE : LINE;
  const line = Math.ceil(held / Math.ceil(held / most)) || 1;

  /** @param {number} own */
  const column = (own) => (watches ? Math.min(WATCHED, innerWidth * WATCHED_SHARE) : Math.max(own * 5 + 60, 420));

  /**
   * @param {number} own
   * @param {number} other
   */
  const put = (own, other) => {
    main.style.setProperty("--own", `${own}px`);
    main.style.setProperty("--oth", `${other}px`);
    // The cards of a whole hand stand in lines of the same length.
    main.style.setProperty("--line", String(line));
    const room = beside ? column(own) : width - 24;
    main.style.setProperty("--hand", `${whole && !lying ? Math.min(own, (room - 8 + 5) / line - 5) : own}px`);
  };

  /**
   * @param {number} own
   * @param {number} other
   */
  const worth = (own, other) => watches ? other + 0.001 * own :
    0.51 * Math.min(own, LARGE) + 0.01 * own + 0.6 * other + Math.min(other, READ) + (over ? 0 : 1.1 * Math.min(own, ENOUGH));

  // What layouts have told; until the second one, by how much parts grow is a guess.
  const mine = { cards: 0, tall: 0, grows: watches ? 0 : 4 * SHAPE };
  const seat = { cards: 0, tall: 0, grows: 3 * SHAPE };
  let frame = Infinity; // how much wider a seat is than its cards
  let rows = 0; // in how many lines the others sit
  let above = 0; // what stands above or below the others' seats
  let ended = 0;
  let rest = 0; // how much taller all is than what is told by its parts
  let wide = Infinity; // cards that are so wide side by side are too wide
  let outside = 0; // how much doesn't fit, in height and width

  /**
   * @param {typeof mine} part
   * @param {number} cards
   * @param {number} tall
   */
  const learn = (part, cards, tall) => {
    const grows = (tall - part.tall) / (cards - part.cards);
    if (part.cards && cards !== part.cards && grows > 1) part.grows = grows;
    part.cards = cards;
    part.tall = tall;
  };

  /**
   * @param {number} own
   * @param {number} other
   */
  const sideBySide = (own, other) =>
    (watches ? 0 : own) + (beside && rows ? other * Math.ceil(seats.length / rows) : 0) + (lying && whole ? (own * line) / 5 : 0);

  /**
   * In how many lines the others would sit; without end where a seat would be too wide.
   * @param {number} own
   * @param {number} other
   */
  const lines = (own, other) => {
    if (lying) return rows;
    const room = beside ? across - column(own) - parseFloat(columnGap) : across;
    const abreast = Math.floor((room + gap) / (frame + other * 5 + gap));
    return abreast > 0 ? Math.ceil(seats.length / abreast) : Infinity;
  };

  /**
   * How tall all of it would be with cards of these widths.
   * @param {number} own
   * @param {number} other
   */
  const foretold = (own, other) => {
    const count = seats.length && lines(own, other);
    const board = mine.tall + mine.grows * (own - mine.cards);
    const around = above + count * (seat.tall + seat.grows * (other - seat.cards) + gap);
    return rest + (!beside ? board + around + ended : lying ? Math.max(board, around, ended) : Math.max(board, around + ended));
  };

  /**
   * Lay it all out, and learn from it; returns whether all of it can be seen.
   * @param {number} own
   * @param {number} other
   */
  const fits = (own, other) => {
    put(own, other);
    const parts = [...main.children].flatMap((section) => {
      // Below each other sections take what is left over; beside each other they are as tall as what they hold.
      const inner = (beside ? [section] : [...section.children]).map((one) => one.getBoundingClientRect()).filter(({ height }) => height);
      return inner.length ? [{ id: section.id, top: Math.min(...inner.map(({ top }) => top)), bottom: Math.max(...inner.map(({ bottom }) => bottom)) }] : [];
    });
    const tall = beside
      ? Math.max(...parts.map(({ bottom }) => bottom)) - Math.min(...parts.map(({ top }) => top))
      : parts.reduce((sum, { top, bottom }) => sum + bottom - top + 6, -6);
    // What is centred and too wide lies over its edges on both sides, which nothing scrolls to.
    const squeezed = seats.map((one) => needed(one) - one.getBoundingClientRect().width);
    const excess = Math.max(main.scrollWidth - main.clientWidth, ...squeezed.filter((much) => much > ROUNDED));
    const part = Object.fromEntries(parts.map(({ id, top, bottom }) => [id, bottom - top]));
    learn(mine, own, part.own ?? 0);
    if (seats.length) {
      const boxes = seats.map((one) => one.getBoundingClientRect());
      learn(seat, other, Math.max(...boxes.map(({ height }) => height)));
      frame = Math.min(frame, Math.max(...seats.map(needed)) - other * 5);
      rows = new Set(boxes.map(({ top }) => Math.round(top))).size;
      above = (part.others ?? 0) - rows * (seat.tall + gap);
    }
    ended = part.ended ?? 0;
    rest = 0;
    rest = tall - foretold(own, other);
    if (excess > 0) wide = Math.min(wide, sideBySide(own, other) - excess / 5);
    outside = Math.max(0, tall - inside) + Math.max(0, excess);
    return outside === 0;
  };

  let best = { own: LEAST, other: smallest, worth: 0 };
  let least = Infinity; // how little didn't fit
  // What was found last is mostly close, and laid out already.
  const last = (/** @type {string} */ size, /** @type {number} */ first) => parseFloat(main.style.getPropertyValue(size)) || first;
  let next = {
    own: Math.max(LEAST, Math.min(widest, last("--own", beside && !lying ? 60 : 40))), other: Math.max(smallest, last("--oth", beside && !lying ? 48 : 24)), worth: Infinity,
  };
  for (let layouts = 1; next.worth > best.worth * CLOSE && layouts <= MOST_LAYOUTS; layouts++) {
    const { own, other } = next;
    if (fits(own, other) && worth(own, other) > best.worth) best = { own, other, worth: worth(own, other) };
    least = Math.min(least, outside);
    next = best;
    for (let one = LEAST; one <= widest; one++) {
      for (let two = smallest; two <= Math.max(one, smallest) && sideBySide(one, two) <= wide; two++) {
        const value = worth(one, two);
        if (value > next.worth && foretold(one, two) <= inside) next = { own: one, other: two, worth: value };
      }
    }
    // Where nothing fits, or seems to, the smallest cards show whether anything does.
    if (!best.worth && (!next.worth || layouts === MOST_LAYOUTS - 1) && own !== LEAST) next = { ...best, worth: Infinity };
  }
  const chosen = () => put(best.own, best.other);
  chosen();
  return { own: best.own, worth: best.worth, outside: best.worth ? 0 : least, put: chosen };
}

/**
 * What sizes depend on: as long as it's the same, they stay.
 * @param {HTMLElement} main
 * @param {import("../state/state.js").State} state
 */
function toFit(main, { view, draft, language }) {
  const seats = view?.seats.map((seat) => [seat.held.length > 0, seat.discards.length > 0, seat.you]);
  const count = (/** @type {string} */ id) => document.getElementById(id)?.childElementCount;
  const done = draft && draft.order.length === draft.toPlace;
  return String([innerWidth, innerHeight, main.clientWidth, main.clientHeight, seats?.join(), view?.mine?.cards.length, done, Boolean(view?.result), count("bar"), count("own"), language]);
}

/** How many lines of text take their share of the height, which tells whether sizes found before may hold. */
const linesIn = () => document.querySelectorAll("#told > div, #ended li, #ended tr, .offer-text, #hint p").length;

/** Fits the table whenever what its sizes depend on has changed. */
export class Fit {
  constructor() {
    this.fitted = "";
    this.window = "";
    /** @type {Map<string, [string, string]>} Sizes and arrangements that were found before. */
    this.found = new Map();
  }

  overflows() {
    const main = document.getElementById("main");
    return main !== null && main.scrollHeight > main.clientHeight + 1;
  }

  /**
   * Take what was found the last time that all was like this; returns whether it holds.
   * @param {HTMLElement} main
   * @param {string} all
   */
  again(main, all) {
    const found = this.found.get(all);
    if (!found) return false;
    [main.style.cssText, main.className] = found;
    return !this.overflows() && main.scrollWidth <= main.clientWidth + 1;
  }

  /** @param {import("../state/state.js").State} state */
  draw(state) {
    const main = document.getElementById("main");
    // The page for streams fills its picture by itself.
    if (!main || !state.view || state.overlay || document.hidden) return;
    const now = toFit(main, state);
    const same = now === this.fitted;
    const size = `${innerWidth} ${innerHeight}`;
    // Nothing changes its size while it moves, or while somebody looks at an earlier street.
    if ((same && tells(state)) || ((same || (state.street && size === this.window)) && !this.overflows())) return;
    const all = `${now} ${linesIn()}`;
    if (same || !this.again(main, all)) {
      const held = state.view.mine?.cards.length ?? 0;
      if (main.classList.contains("arc")) fitArc(main, held);
      else fit(main, held, Boolean(state.view.result || state.view.watches || state.view.puzzle?.solution));
      if (this.found.size > MOST_FOUND) this.found.clear();
      this.found.set(all, [main.style.cssText, main.className]);
    }
    this.fitted = toFit(main, state);
    this.window = size;
  }
}
