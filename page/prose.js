// Longer texts, such as the rules and reviews: headings, lists and tables, with cards drawn as cards.

import { card } from "./cards.js";
import { make, sentence } from "./dom.js";

/** @typedef {import("./protocol").Line} Line */
/** @typedef {import("./boards.js").Told} Told */

/**
 * @param {readonly Line[]} lines
 * @param {Told} told
 */
export function prose(lines, told) {
  /** @type {HTMLElement[]} */
  const made = [];
  for (const line of lines) {
    const last = made[made.length - 1];
    if (line.kind === "item" && last?.tagName === "UL") last.append(item(line, told));
    else made.push(block(line, told));
  }
  return make("div", { class: "prose" }, ...made);
}

/**
 * @param {Line} line
 * @param {Told} told
 */
function block(line, told) {
  switch (line.kind) {
    case "heading":
      return make("h4", {}, ...inline(line.text, told));
    case "item":
      return make("ul", {}, item(line, told));
    case "table":
      return table(line, told);
    default:
      return make("p", { class: line.kind === "small" ? "small" : undefined }, ...inline(line.text, told));
  }
}

/**
 * @param {Line} line
 * @param {Told} told
 */
function item(line, told) {
  const verdict = { right: told.words.line_right, wrong: told.words.line_wrong, other: "", "": "" }[line.mark];
  return make("li", { class: line.mark || undefined },
    verdict ? make("span", { class: "unseen", text: `${verdict}${told.words.pause}` }) : null, ...inline(line.text, told));
}

/**
 * @param {Line} line
 * @param {Told} told
 */
function table(line, told) {
  const head = make("tr", {}, ...line.head.map((text) => make("th", { scope: "col" }, ...inline(text, told))));
  const rows = line.rows.map(([first, ...rest]) =>
    make("tr", {}, make("th", { scope: "row" }, ...inline(first, told)), ...rest.map((text) => make("td", {}, ...inline(text, told)))));
  return make("table", { class: line.head.length > 3 ? "wide" : undefined }, make("thead", {}, head), make("tbody", {}, ...rows));
}

/**
 * @param {string} text
 * @param {Told} told
 */
function inline(text, told) {
  return sentence(text, told.language, told.now, (code) => card(code, told.cards[code]));
}

/**
 * The rules: a way to each chapter, then the chapters.
 * @param {readonly import("./protocol").Chapter[]} chapters
 * @param {Told} told
 */
export function rulesOf(chapters, told) {
  const sections = chapters.map(({ title, lines }) =>
    make("section", { class: "chapter", "aria-label": title }, make("h3", { text: title, tabindex: "-1" }), prose(lines, told)));
  const ways = sections.map((section, number) => {
    const one = make("button", { type: "button", text: chapters[number].title });
    one.addEventListener("click", () => {
      section.scrollIntoView();
      section.querySelector("h3")?.focus({ preventScroll: true });
    });
    return one;
  });
  return [make("div", { class: "ways" }, ...ways), ...sections];
}
