// The sheet on which a record is pasted or opened and checked. Its words lie in the page: it works where it was saved.

import { card } from "./cards.js";
import { make } from "./dom.js";
import { checkDraw, checkOfEvent, isDraw } from "./draws.js";
import { readJson } from "./json.js";
import { openSheet } from "./sheet.js";
import { fingerprint } from "./sums.js";
import { checkRecord } from "./verify.js";

/** @type {Record<string, Record<string, string>>} */
const OFFLINE = /*{{offline}}*/ {};

/** @type {Map<string, string>} What those are called whose ids records hold, as far as the bot has told. */
const people = new Map();

/** @param {import("./verify.js").VerifyStep} step */
function toldOf(step) {
  if (!step.players) return step.value;
  return step.value.split(" · ").map((one) => one.replace(/^\S+/, (id) => people.get(id) ?? id)).join(" · ");
}

/** @param {string} language */
function textsIn(language) {
  return OFFLINE[language.slice(0, 2)] ?? OFFLINE.en;
}

/** @param {string} text */
function parsed(text) {
  try {
    return readJson(text);
  } catch {
    return null; // said where it is judged
  }
}

/**
 * A place for a record: pasted, or opened as a file. What is found is of the record that is there: a changed one has
 * nothing below it until it's judged too.
 * @param {Record<string, string>} texts
 * @param {string} name
 * @param {string} label
 * @param {(text: string) => Promise<Node[]>} judge returns what is said; whatever can't be judged is unreadable
 * @param {string} unreadable what is said then
 */
function recordPlace(texts, name, label, judge, unreadable) {
  const area = make("textarea", { id: name, rows: "6", "aria-label": label, spellcheck: "false", placeholder: "{ … }" });
  const file = make("input", { type: "file", accept: ".json,application/json", id: `${name}-file`, class: "unseen" });
  const check = make("button", { type: "button", class: "main", text: texts.check, id: name === "record" ? "check" : `${name}-check` });
  const found = make("div", { class: "verdict", role: "status" });
  let checks = 0;
  const clear = () => {
    checks++;
    found.replaceChildren();
  };
  const tell = async () => {
    clear();
    const mine = checks;
    const said = globalThis.crypto?.subtle
      ? await judge(area.value).catch(() => [make("p", { class: "unreadable", id: name === "record" ? "outcome" : "event-outcome", text: unreadable })])
      : [make("p", { class: "wrong", text: texts.insecure })];
    if (mine === checks) found.replaceChildren(...said);
  };
  check.addEventListener("click", () => void tell());
  area.addEventListener("input", clear);
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    clear();
    area.value = await chosen.text();
    file.value = "";
    await tell();
  });
  const ways = make("div", { class: "ways" }, make("label", { class: "way" }, file, texts.open), check);
  return { area, tell, parts: [area, ways, found] };
}

/**
 * @param {Record<string, string>} texts
 * @param {readonly import("./verify.js").VerifyStep[]} steps
 */
function stepsOf(texts, steps) {
  const lines = steps.map((step) => make("li", { class: step.right === undefined ? "" : step.right ? "right" : "wrong" },
    make("b", { text: texts[`step_${step.key}`] }), step.right === undefined ? null : make("em", { text: step.right ? ` ✓ ${texts.same}` : ` ✗ ${texts.differs}` }),
    step.key === "deck" ? null : make("code", { text: toldOf(step) }),
    step.posted ? make("p", {}, `${texts.fingerprint} `, make("code", { class: "posted", text: fingerprint(step.value) })) : null));
  return make("ol", {}, ...lines);
}

/**
 * Who is dealt what, a seat to a line.
 * @param {Record<string, string>} texts
 * @param {readonly import("./verify.js").Deal[]} deals
 * @param {(code: string) => HTMLElement} face
 */
function dealtTo(texts, deals, face) {
  const seats = [...new Set(deals.map((deal) => deal.seat))];
  const lines = seats.map((seat) => {
    const own = deals.filter((deal) => deal.seat === seat);
    const known = people.get(own[0].player);
    const name = (known ? texts.seat : texts.unnamed).replace("{seat}", String(seat + 1)).replace("{player}", () => known ?? own[0].player);
    return make("div", { class: "deal" }, make("b", { text: name }), ...own.map((deal) => make("span", {}, ...deal.cards.map(face))));
  });
  return lines.length ? [make("h3", { text: texts.dealt }), make("p", { text: texts.dealt_how }), ...lines] : [];
}

/**
 * Whether a hand that checks out follows from its event's record.
 * @param {Record<string, string>} texts
 * @param {any} hand
 */
function ofEvent(texts, hand) {
  const place = recordPlace(texts, "event-record", texts.event_record, async (text) => {
    const record = parsed(text);
    const event = await checkDraw(record);
    const over = event.outcome === "right" && record.decks !== undefined;
    const judged = over ? await checkOfEvent(hand, record) : { outcome: event.outcome === "right" ? "not_over" : "no_event", steps: [] };
    return [make("p", { class: judged.outcome === "follows" ? "right" : "wrong", id: "event-outcome", text: texts[judged.outcome] }), stepsOf(texts, judged.steps)];
  }, texts.no_event);
  return make("details", { id: "of-event" }, make("summary", { text: texts.event }), make("p", { text: texts.event_how }), ...place.parts);
}

/**
 * @param {string} language
 * @param {Record<string, string>} named the names of the cards, where they are known
 * @param {string} [given] a record that is checked at once
 * @param {Record<string, string>} [names] of the players, by their ids
 */
export function showRecord(language, named, given = "", names = {}) {
  for (const [player, name] of Object.entries(names)) people.set(player, name);
  const texts = textsIn(language);
  const face = (/** @type {string} */ code) => card(code, named[code] ?? code);
  const place = recordPlace(texts, "record", texts.record, async (text) => {
    const record = parsed(text);
    if (isDraw(record)) {
      const draw = await checkDraw(record);
      const said = draw.outcome === "unreadable" ? texts.unreadable : texts[`draw_${draw.outcome}`].replace("{event}", () => record.event).replace("{label}", () => record.label);
      return [make("p", { class: draw.outcome, id: "outcome", text: said }), stepsOf(texts, draw.steps),
        draw.outcome === "right" ? make("p", { text: texts.draw_compare }) : make("span")];
    }
    const verdict = await checkRecord(record);
    const right = verdict.outcome === "right";
    return [
      make("p", { class: verdict.outcome, id: "outcome", text: texts[verdict.outcome].replace("{hand}", () => verdict.hand) }),
      stepsOf(texts, verdict.steps), make("div", { class: "deck" }, ...verdict.deck.map(face)),
      ...(right ? [make("p", { text: verdict.second ? texts.compare : texts.compare_commitment }), ...dealtTo(texts, verdict.dealt, face), ofEvent(texts, record)] : [])];
  }, texts.unreadable);
  place.area.value = given;
  openSheet(texts.title, texts.close, make("p", { text: texts.how }), ...place.parts);
  if (given) void place.tell();
}
