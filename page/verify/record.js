// The sheet on which a record is pasted or opened and checked. Its words lie in the page: it works where it was saved.

import { html, nothing } from "lit-html";
import "../sheets/style.js";
import { card } from "../table/cards.js";
import { when } from "../table/sentence.js";
import { checkDraw, checkOfEvent, isDraw } from "./draws.js";
import { OFFLINE } from "./given.js";
import { readJson } from "./json.js";
import { fingerprint } from "./sums.js";
import { checkRecord } from "./verify.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/** @typedef {{ given: string, checks: Readonly<Record<string, import("../state/sheets.js").Check>> }} RecordSheet */
/** @typedef {import("./verify.js").VerifyStep} VerifyStep */
/** @typedef {import("./verify.js").Verdict} Verdict */
/**
 * What is said of a record: of one that can't be judged only its outcome.
 * @typedef {{ record?: any, outcome: string, steps?: readonly VerifyStep[], hand?: Verdict }} Found
 */

/** @param {State} state */
const textsOf = ({ language }) => OFFLINE[language.slice(0, 2)] ?? OFFLINE.en;

/** @param {string} text */
function parsed(text) {
  try {
    return readJson(text);
  } catch {
    return null; // said where it is judged
  }
}

/**
 * @param {string} text
 * @returns {Promise<Found>}
 */
async function judge(text) {
  const record = parsed(text);
  if (isDraw(record)) {
    const { outcome, steps } = await checkDraw(record);
    return { record, outcome: outcome === "unreadable" ? outcome : `draw_${outcome}`, steps };
  }
  const hand = await checkRecord(record);
  return { record, outcome: hand.outcome, steps: hand.steps, hand };
}

/**
 * Whether a hand that checks out follows from its event's record.
 * @param {any} hand
 * @returns {(text: string) => Promise<Found>}
 */
const judgeEvent = (hand) => async (text) => {
  const record = parsed(text);
  const event = await checkDraw(record);
  if (event.outcome !== "right") return { outcome: "no_event", steps: [] };
  return record.decks === undefined ? { outcome: "not_over", steps: [] } : checkOfEvent(hand, record);
};

/**
 * A place for a record: pasted, or opened as a file. What is found is of the record that is there: a changed one has
 * nothing below it until it's judged too.
 * @param {State} state
 * @param {RecordSheet} sheet
 * @param {Send} send
 * @param {object} place
 * @param {"record" | "event-record"} place.name
 * @param {string} place.label
 * @param {(text: string) => Promise<Found>} place.judge whatever it can't judge is unreadable
 * @param {string} place.unreadable the outcome then
 * @param {(found: Found) => unknown} place.said
 * @param {unknown} [place.more]
 */
function recordPlace(state, sheet, send, { name, label, judge, unreadable, said, more = nothing }) {
  const texts = textsOf(state);
  const area = () => /** @type {HTMLTextAreaElement} */ (document.getElementById(name));
  const clear = () => send({ type: "check", place: name, mark: null });
  const check = async () => {
    const mark = {};
    send({ type: "check", place: name, mark });
    const found = globalThis.crypto?.subtle ? await judge(area().value).catch(() => ({ outcome: unreadable })) : { outcome: "insecure" };
    send({ type: "checked", place: name, mark, found });
  };
  const open = async (/** @type {Event} */ event) => {
    const file = /** @type {HTMLInputElement} */ (event.target);
    const chosen = file.files?.[0];
    if (!chosen) return;
    clear();
    area().value = await chosen.text();
    file.value = "";
    await check();
  };
  return html`<textarea id=${name} rows="6" aria-label=${label} spellcheck="false" placeholder="{ … }" @input=${clear}></textarea><div class="ways"><label class="way"><input type="file" accept=".json,application/json" id="${name}-file" class="unseen" @change=${open}>${texts.open}</label><button type="button" class="main" id=${name === "record" ? "check" : "event-record-check"} @click=${check}>${texts.check}</button>${more}</div><div class="verdict" role="status">${when(sheet.checks[name]?.found, said)}</div>`;
}

/**
 * @param {State} state
 * @param {readonly VerifyStep[]} steps
 */
function stepsOf(state, steps) {
  const texts = textsOf(state);
  const valueOf = (/** @type {VerifyStep} */ { players, value }) => players
    ? value.split(" · ").map((one) => one.replace(/^\S+/, (id) => state.people[id] ?? id)).join(" · ") : value;
  return html`<ol>${steps.map((step) => html`<li class=${step.right === undefined ? "" : step.right ? "right" : "wrong"}><b>${texts[`step_${step.key}`]}</b>${
    step.right === undefined ? nothing : html`<em> ${step.right ? `✓ ${texts.same}` : `✗ ${texts.differs}`}</em>`}${
    step.key === "deck" ? nothing : html`<code>${valueOf(step)}</code>`}${
    step.posted ? html`<p>${texts.fingerprint} <code class="posted">${fingerprint(step.value)}</code></p>` : nothing}</li>`)}</ol>`;
}

/**
 * @param {State} state
 * @param {string} code
 */
const faceOf = ({ cards }, code) => card(code, cards[code] ?? code);

/**
 * Who is dealt what, a seat to a line.
 * @param {State} state
 * @param {readonly import("./verify.js").Deal[]} deals
 */
function dealtTo(state, deals) {
  const texts = textsOf(state);
  if (!deals.length) return nothing;
  return html`<h3>${texts.dealt}</h3><p>${texts.dealt_how}</p>${[...new Set(deals.map((deal) => deal.seat))].map((seat) => {
    const own = deals.filter((deal) => deal.seat === seat);
    const known = state.people[own[0].player];
    const name = (known ? texts.seat : texts.unnamed).replace("{seat}", String(seat + 1)).replace("{player}", () => known ?? own[0].player);
    return html`<div class="deal"><b>${name}</b>${own.map((deal) => html`<span>${deal.cards.map((code) => faceOf(state, code))}</span>`)}</div>`;
  })}`;
}

/**
 * @param {State} state
 * @param {RecordSheet} sheet
 * @param {Send} send
 * @param {Found} found
 */
function saidOf(state, sheet, send, { record, outcome, steps, hand }) {
  const texts = textsOf(state);
  const line = (/** @type {string} */ look, /** @type {string} */ text) => html`<p class=${look} id="outcome">${text}</p>`;
  if (!steps) return outcome === "insecure" ? html`<p class="wrong">${texts.insecure}</p>` : line(outcome, texts[outcome]);
  if (!hand) {
    const text = texts[outcome].replace("{event}", () => record.event).replace("{label}", () => record.label);
    return html`${line(outcome.replace("draw_", ""), text)}${stepsOf(state, steps)}${outcome === "draw_right" ? html`<p>${texts.draw_compare}</p>` : nothing}`;
  }
  return html`${line(outcome, texts[outcome].replace("{hand}", () => hand.hand))}${stepsOf(state, steps)}<div class="deck">${hand.deck.map((code) => faceOf(state, code))}</div>${
    outcome === "right" ? html`<p>${hand.second ? texts.compare : texts.compare_commitment}</p>${dealtTo(state, hand.dealt)}<details id="of-event"><summary>${texts.event}</summary><p>${texts.event_how}</p>${
      recordPlace(state, sheet, send, { name: "event-record", label: texts.event_record, judge: judgeEvent(record), unreadable: "no_event", said: (found) => ofEvent(state, found) })}</details>` : nothing}`;
}

/**
 * @param {State} state
 * @param {Found} found
 */
function ofEvent(state, { outcome, steps = [] }) {
  const texts = textsOf(state);
  if (outcome === "insecure") return html`<p class="wrong">${texts.insecure}</p>`;
  return html`<p class=${outcome === "follows" ? "right" : "wrong"} id="event-outcome">${texts[outcome]}</p>${stepsOf(state, steps)}`;
}

/** @param {State} state */
export function title(state) {
  const texts = textsOf(state);
  return texts.title;
}

/** @param {State} state */
export function closes(state) {
  const texts = textsOf(state);
  return texts.close;
}

/**
 * @param {State} state
 * @param {RecordSheet} sheet
 * @param {Send} send
 */
export function body(state, sheet, send) {
  const texts = textsOf(state);
  const more = SAVED_PAGE ? html`<a class="way" href=${SAVED_PAGE} download="chaipo.html">${texts.save}</a>` : nothing;
  return html`<p>${texts.how}</p>${recordPlace(state, sheet, send, { name: "record", label: texts.record, judge, unreadable: "unreadable", said: (found) => saidOf(state, sheet, send, found), more })}`;
}

/**
 * @param {HTMLElement} dialog
 * @param {RecordSheet} sheet
 */
export function opened(dialog, { given }) {
  const area = /** @type {HTMLTextAreaElement} */ (document.getElementById("record"));
  area.value = given;
  if (given) document.getElementById("check")?.click();
}
