// Longer texts, such as the rules and reviews: headings, lists and tables, with cards drawn as cards.

import { html, nothing } from "lit-html";
import { card } from "../table/cards.js";
import { sentence } from "../table/sentence.js";

/** @typedef {import("../protocol").Line} Line */
/** @typedef {import("../state/aloud.js").Told} Told */

/**
 * @param {readonly Line[]} lines
 * @param {Told} told
 */
export function prose(lines, told) {
  /** @type {unknown[]} */
  const made = [];
  /** @type {unknown[]} */
  let items = [];
  lines.forEach((line, number) => {
    if (line.kind !== "item") made.push(block(line, told));
    else if (lines[number - 1]?.kind === "item") items.push(item(line, told));
    else made.push(html`<ul>${items = [item(line, told)]}</ul>`);
  });
  return html`<div class="prose">${made}</div>`;
}

/**
 * @param {Line} line
 * @param {Told} told
 */
function block(line, told) {
  if (line.kind === "heading") return html`<h4>${inline(line.text, told)}</h4>`;
  if (line.kind === "table") return table(line, told);
  return html`<p class=${line.kind === "small" ? "small" : nothing}>${inline(line.text, told)}</p>`;
}

/**
 * @param {Line} line
 * @param {Told} told
 */
function item(line, told) {
  const { words } = told;
  const verdict = { right: words.line_right, wrong: words.line_wrong, other: "", "": "" }[line.mark];
  return html`<li class=${line.mark || nothing}>${verdict ? html`<span class="unseen">${verdict}${words.pause}</span>` : nothing}${inline(line.text, told)}</li>`;
}

/**
 * @param {Line} line
 * @param {Told} told
 */
function table(line, told) {
  const rows = line.rows.map(([first, ...rest]) => html`<tr><th scope="row">${inline(first, told)}</th>${rest.map((text) => html`<td>${inline(text, told)}</td>`)}</tr>`);
  return html`<table class=${line.head.length > 3 ? "wide" : nothing}><thead><tr>${line.head.map((text) => html`<th scope="col">${inline(text, told)}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;
}

/**
 * @param {string} text
 * @param {Told} told
 */
function inline(text, told) {
  return sentence(text, told, (code) => card(code, told.cards[code]));
}
