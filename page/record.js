// The sheet on which a record is pasted or opened and checked. Its words lie in the page: it works where it was saved.

import { card } from "./cards.js";
import { make } from "./dom.js";
import { openSheet } from "./sheet.js";
import { checkRecord } from "./verify.js";

/** @type {Record<string, Record<string, string>>} */
const OFFLINE = /*{{offline}}*/ {};

/** @param {string} language */
function textsIn(language) {
  return OFFLINE[language.slice(0, 2)] ?? OFFLINE.en;
}

/**
 * @param {string} language
 * @param {Record<string, string>} named the names of the cards, where they are known
 * @param {string} [given] a record that is checked at once
 */
export function showRecord(language, named, given = "") {
  const texts = textsIn(language);
  const area = make("textarea", { id: "record", rows: "6", "aria-label": texts.record, spellcheck: "false", placeholder: "{ … }" });
  const file = make("input", { type: "file", accept: ".json,application/json", id: "record-file", class: "unseen" });
  const check = make("button", { type: "button", class: "main", text: texts.check, id: "check" });
  const found = make("div", { class: "verdict", role: "status" });
  area.value = given;

  const judge = async () => {
    if (!globalThis.crypto?.subtle) {
      found.replaceChildren(make("p", { class: "wrong", text: texts.insecure }));
      return;
    }
    const verdict = await checkRecord(area.value);
    const steps = verdict.steps.map((step) => make("li", { class: step.right === undefined ? "" : step.right ? "right" : "wrong" },
      make("b", { text: texts[`step_${step.key}`] }), step.right === undefined ? null : make("em", { text: step.right ? ` ✓ ${texts.same}` : ` ✗ ${texts.differs}` }),
      step.key === "deck" ? null : make("code", { text: step.value })));
    const deck = make("div", { class: "deck" }, ...verdict.deck.map((code) => card(code, named[code] ?? code)));
    found.replaceChildren(
      make("p", { class: verdict.outcome, id: "outcome", text: texts[verdict.outcome].replace("{hand}", verdict.hand) }),
      make("ol", {}, ...steps), deck, verdict.outcome === "right" ? make("p", { text: texts.compare }) : make("span"));
  };
  check.addEventListener("click", () => void judge());
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    area.value = await chosen.text();
    await judge();
  });
  const sheet = openSheet(texts.title, texts.close, make("p", { text: texts.how }), area, make("div", { class: "ways" }, make("label", { class: "way" }, file, texts.open), check), found);
  sheet.classList.remove("past");
  if (given) void judge();
}
