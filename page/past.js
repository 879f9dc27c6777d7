// Looking back at a finished hand, street by street.

import { named } from "./aloud.js";
import { resultOf, seatBoard } from "./boards.js";
import { make } from "./dom.js";
import { prose } from "./prose.js";
import { openSheet } from "./sheet.js";

const LARGEST = 56;
const READABLE = 30;
const SCROLLED = 0.6; // what boards are worth that have to be scrolled to
const OUTSIDE_BOARDS = 190; // how tall is what stands around the boards
const BESIDE_CARDS = 120; // how tall a board is beside its cards: names, hands, discards

/**
 * Put the boards into as many columns as make their cards largest.
 * @param {HTMLElement} boards
 */
function layOut(boards) {
  const count = boards.childElementCount;
  const rest = BESIDE_CARDS + (boards.querySelector(".place") ? 46 : 0);
  const tries = Array.from({ length: Math.min(count, 4) }, (_, at) => {
    const wide = (Math.min(900, innerWidth - 16) - 28) / (at + 1) / 5.7 - 4;
    const tall = ((innerHeight - OUTSIDE_BOARDS) / Math.ceil(count / (at + 1)) - rest) / 4.08;
    // Where all of them are too tall for the screen, the sheet is scrolled.
    const size = Math.min(LARGEST, Math.max(Math.min(wide, tall), Math.min(wide, READABLE)));
    return { columns: at + 1, size, worth: size * (tall < size ? SCROLLED : 1) };
  });
  const { columns, size } = tries.reduce((one, other) => (other.worth >= one.worth ? other : one));
  boards.style.setProperty("--columns", String(columns));
  boards.style.setProperty("--oth", `${size}px`);
}

/**
 * @param {import("./protocol").PastShown} past
 * @param {import("./boards.js").Told} told
 * @param {{ read: (what: import("./protocol").Read["what"]) => void, retry: ((start: number, letters?: string) => void) | null, start: number }} ways
 */
export function showPast(past, told, ways) {
  const { words } = told;
  const last = past.steps.length - 1;
  const boards = make("div", { class: "boards" });
  new ResizeObserver(() => layOut(boards)).observe(boards);
  const about = make("p", { class: "step", "aria-live": "polite" });
  const below = make("div", { class: "below" });
  const scrubber = make("input", { type: "range", min: "0", max: String(last), step: "1", id: "scrubber", "aria-label": words.replay });
  const jumps = [
    ["«", words.first_step, () => 0], ["‹", words.step_back, (/** @type {number} */ at) => at - 1],
    ["›", words.step_on, (/** @type {number} */ at) => at + 1], ["»", words.last_step, () => last],
  ].map(([sign, label, to]) => {
    const one = make("button", { type: "button", "aria-label": String(label), text: String(sign) });
    one.addEventListener("click", () => go(/** @type {(at: number) => number} */ (to)(Number(scrubber.value))));
    return one;
  });

  const way = (/** @type {string} */ label, /** @type {() => void} */ act) => {
    const one = make("button", { type: "button", text: label });
    one.addEventListener("click", act);
    return one;
  };
  const acts = make("div", { class: "ways" },
    ...(past.played && !past.told.length ? [way(words.review, () => ways.read("review"))] : []),
    ...(ways.retry ? [way(words.retry, () => ways.retry?.(Math.min(Number(scrubber.value), Math.max(0, last - 1))))] : []),
    way(words.history_file, () => ways.read("file")), way(words.share, () => ways.read("link")),
    ...(past.provable ? [way(words.record, () => ways.read("record"))] : []));

  /**
   * The master's placement beside one's own, and the way to place it.
   * @param {import("./protocol").Better} better
   */
  function boardOf(better) {
    const board = seatBoard({ ...better.seat, name: words.master_board }, past.row_names, told);
    board.classList.add("better");
    if (ways.retry) {
      const place = way(words.place_these, () => ways.retry?.(better.start, better.letters));
      place.className = "place";
      board.append(place);
    }
    return board;
  }

  /** What the review says of the whole hand, and behind a heading what its numbers mean. */
  function overview() {
    const meanings = past.meanings.length
      ? [make("details", { class: "meanings" }, make("summary", { text: words.meanings }), prose(past.meanings, told))] : [];
    return [prose(past.told, told), ...meanings];
  }

  /** @param {number} to */
  function go(to) {
    const at = Math.max(0, Math.min(last, to));
    const step = past.steps[at];
    scrubber.value = String(at);
    const place = words.step.replace("{number}", String(at + 1)).replace("{total}", String(last + 1));
    scrubber.setAttribute("aria-valuetext", named(words, place, step.title));
    about.textContent = step.title;
    const [own, ...others] = step.seats.map((seat) => seatBoard(seat, past.row_names, told));
    boards.replaceChildren(own, ...(step.better ? [boardOf(step.better)] : []), ...others);
    layOut(boards);
    jumps.forEach((one, number) => { one.disabled = number < 2 ? at === 0 : at === last; });
    below.replaceChildren(
      prose(step.value, told), ...(at === last ? [...overview(), resultOf(past.result, told)] : []),
    );
  }

  scrubber.addEventListener("input", () => go(Number(scrubber.value)));
  const sheet = openSheet(past.title, words.close, about,
    last ? make("div", { class: "scrub" }, jumps[0], jumps[1], scrubber, jumps[2], jumps[3]) : null, boards, below, acts);
  sheet.classList.add("past");
  go(ways.start);
  scrubber.focus();
}
