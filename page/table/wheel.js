// The wheel, behind which the menu is once it has come.

import { html, nothing } from "lit-html";
import { soonPart } from "../later.js";

/** Browsers without popovers show and hide the menu by the state. */
export const POPS = "popover" in HTMLElement.prototype;
const WHEEL = "M19.4 13a7.5 7.5 0 0 0 0-2l2-1.6-2-3.4-2.4 1a7.5 7.5 0 0 0-1.7-1L15 3.5h-4l-.4 2.5a7.5 7.5 0 0 0-1.7 1l-2.4-1-2 3.4 2 1.6a7.5 7.5 0 0 0 0 2l-2 1.6 2 3.4 2.4-1a7.5 7.5 0 0 0 1.7 1l.4 2.5h4l.4-2.5a7.5 7.5 0 0 0 1.7-1l2.4 1 2-3.4zM13 15.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7z";

/**
 * @param {import("../state/state.js").State} state
 * @param {import("../main.js").Send} send
 */
export function wheelOf(state, send) {
  const { words, menu } = state;
  return html`<div id="settings"><button type="button" data-key="settings" popovertarget="menu" aria-label=${words.settings ?? nothing} aria-expanded=${POPS ? nothing : menu} @click=${
    () => POPS || send({ type: "menu", open: !menu })}><svg viewBox="0 0 26 24" aria-hidden="true"><path d=${WHEEL}></path></svg></button><div id="menu" popover ?hidden=${!POPS && !menu}>${
    words.settings ? soonPart()?.insideMenu(state, send) : nothing}</div></div>`;
}
