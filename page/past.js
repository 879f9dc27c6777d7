// Looking back at a finished hand, street by street.

import { named } from "./aloud.js";
import { resultOf, seatBoard } from "./boards.js";
import { make } from "./dom.js";
import { openSheet, paragraphs } from "./sheet.js";

/**
 * @param {import("./protocol").PastShown} past
 * @param {import("./boards.js").Told} told
 * @param {{ read: (what: import("./protocol").Read["what"]) => void, retry: ((start: number) => void) | null, start: number }} ways
 */
export function showPast(past, told, ways) {
  const { words } = told;
  const last = past.steps.length - 1;
  const boards = make("div", { class: "boards" });
  boards.style.setProperty("--columns", String(Math.min(past.steps[last].seats.length, innerWidth < 760 ? 2 : 4)));
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
    ...(past.played && !past.told ? [way(words.review, () => ways.read("review"))] : []),
    ...(ways.retry ? [way(words.retry, () => ways.retry?.(Math.min(Number(scrubber.value), Math.max(0, last - 1))))] : []),
    way(words.history_file, () => ways.read("file")), way(words.share, () => ways.read("link")),
    ...(past.provable ? [way(words.record, () => ways.read("record"))] : []));

  /** @param {number} to */
  function go(to) {
    const at = Math.max(0, Math.min(last, to));
    const step = past.steps[at];
    scrubber.value = String(at);
    const place = words.step.replace("{number}", String(at + 1)).replace("{total}", String(last + 1));
    scrubber.setAttribute("aria-valuetext", named(words, place, step.title));
    about.textContent = step.title;
    boards.replaceChildren(...step.seats.map((seat) => seatBoard(seat, past.row_names, told)));
    jumps.forEach((one, number) => { one.disabled = number < 2 ? at === 0 : at === last; });
    below.replaceChildren(
      ...paragraphs(step.value, "value"), ...(at === last ? [...paragraphs(past.told, "told"), resultOf(past.result, told)] : []),
    );
  }

  scrubber.addEventListener("input", () => go(Number(scrubber.value)));
  const sheet = openSheet(past.title, words.close, about,
    last ? make("div", { class: "scrub" }, jumps[0], jumps[1], scrubber, jumps[2], jumps[3]) : null, boards, below, acts);
  sheet.classList.add("past");
  go(ways.start);
  scrubber.focus();
}
