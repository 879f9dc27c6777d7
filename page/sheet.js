// What lies over the table for a while: the rules, a finished hand, a record that is checked.

import { byId, make } from "./dom.js";

/** @typedef {(seen: import("./protocol").View) => boolean} Lasts */

/** @type {Lasts | null} True of a view in which the sheet's subject is still there; null for a sheet that isn't about the view. */
let lasting = null;

/**
 * Close the sheet that was just opened as soon as a view comes of which this isn't true.
 * @param {Lasts} test
 */
export function lasts(test) {
  lasting = test;
}

/** @param {import("./protocol").View} seen */
export function closeIfOver(seen) {
  if (lasting && !lasting(seen)) closeSheet();
}

export function closeSheet() {
  /** @type {HTMLDialogElement} */ (byId("sheet")).close();
}

/**
 * Open it with this inside, or put this in the place of what it holds.
 * @param {string} title
 * @param {string} closes the label of the button that closes it
 * @param {...(Node | string | null)} inside
 */
export function openSheet(title, closes, ...inside) {
  const sheet = /** @type {HTMLDialogElement} */ (byId("sheet"));
  const close = make("button", { type: "button", class: "close", "aria-label": closes, text: "×" });
  close.addEventListener("click", closeSheet);
  lasting = null;
  sheet.className = "";
  sheet.setAttribute("aria-label", title);
  sheet.replaceChildren(make("header", {}, make("h2", { text: title }), close), make("div", { class: "body" }, ...inside));
  if (!sheet.open) sheet.showModal();
  if (!sheet.contains(document.activeElement)) close.focus();
  return sheet;
}

/**
 * Give somebody a file.
 * @param {string} name
 * @param {string} text
 */
export function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const way = make("a", { href: address, download: name });
  document.body.append(way);
  way.click();
  way.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
