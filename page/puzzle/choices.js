// The choice of puzzles: other ones at once, or only those of a theme and some games.

import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/** @typedef {{ choices: import("../protocol").PuzzleChoices }} Choices */
/** @typedef {import("../protocol").PuzzleOption} Option */

const OTHERS = /later|harder|easier/;

/**
 * @param {State} state
 * @param {Choices} sheet
 */
export const title = (state, { choices }) => choices.title;

/**
 * @param {State} state
 * @param {Choices} sheet
 * @param {Send} send
 */
export function body({ view }, { choices }, send) {
  const offers = (view?.offers ?? []).filter(({ verb }) => OTHERS.test(verb));
  const others = offers.map((offer) => html`<button type="button" data-key="other-${offer.verb}" ?disabled=${view?.puzzle?.off.includes(offer.verb)} @click=${() => {
    send({ type: "close" });
    send({ type: "offer", offer });
  }}>${offer.label}</button>`);
  const theme = (/** @type {Option} */ { key }) => send({ type: "choosePuzzles", verb: "puzzle_theme", chosen: key ? [key] : [] });
  const game = (/** @type {Option} */ { key, chosen }) => {
    const before = choices.games.filter((one) => one.key && one.chosen).map((one) => one.key);
    const games = chosen ? before.filter((one) => one !== key) : [...before, key];
    send({ type: "choosePuzzles", verb: "puzzle_games", chosen: key ? games : [] });
  };
  const group = (/** @type {string} */ name, /** @type {string} */ type, /** @type {readonly Option[]} */ options, /** @type {(option: Option) => void} */ choose) =>
    html`<fieldset><legend>${name}</legend>${options.map((one) => html`<label><input type=${type} name=${type === "radio" ? "puzzle-theme" : nothing} data-key="${type}-${one.key}" .checked=${live(one.chosen)} @change=${() => choose(one)}>${one.label}</label>`)}</fieldset>`;
  return html`<div class="puzzles"><p role="status">${choices.told}</p>${others.length ? html`<div class="others"><div class="ways">${others}</div>${offers.some(({ verb }) => verb === "puzzle_later") ? html`<p>${choices.later}</p>` : nothing}</div>` : nothing}${
    group(choices.theme, "radio", choices.themes, theme)}${group(choices.game, "checkbox", choices.games, game)}</div>`;
}
