import assert from "node:assert/strict";
import { test } from "node:test";
import { looked } from "../../../page/state/ended.js";
import { ofTheMenu } from "../../../page/state/shown.js";
import { Page, seat, view } from "./table.mjs";

const offer = (verb, more = {}) => ({ verb, label: verb, text: "", sure: "", turn: "s1", ...more });
const JOIN = offer("join", { label: "Join", text: "Table 1\nBuy-in: 1,000", sure: "Join for 1,000 chips", turn: "0123456789ab" });
const lobby = (more = {}) => view({ seats: [seat("Bob")], mine: null, watches: true, seatless: true, offers: [JOIN], ...more });
const answer = (ask, more = {}) => ({ type: "answer", id: ask.id, outcome: "done", said: "", letters: "", hint: null, stream: "", ...more });
const verbs = (seen) => ofTheMenu(seen).map(({ verb }) => verb);

test("a seat is taken with the second press, under the terms that the first one showed", () => {
  const page = Page.at(lobby());
  page.say("offer", { offer: JOIN });
  assert.deepEqual([page.sent(), page.state.sheet.kind, page.state.sheet.offer], [[], "terms", JOIN]);
  // Other terms come while these are read: the press agrees to what is shown.
  page.snapshot(lobby({ offers: [{ ...JOIN, turn: "ba9876543210" }] }));
  assert.equal(page.state.sheet.offer.turn, JOIN.turn);
  page.say("want", { verb: "join", turn: page.state.sheet.offer.turn });
  const [ask] = page.sent("intent");
  assert.deepEqual([ask.verb, ask.turn, ask.table], ["join", JOIN.turn, 1]);
  page.hear(answer(ask, { outcome: "stale", said: "Here's how it is now" }));
  assert.deepEqual([page.state.sheet.offer.turn, page.state.toast.text], ["ba9876543210", "Here's how it is now"]);
});

test("the terms go away with the seat that was taken, and stay with a refusal", () => {
  const page = Page.at(lobby());
  page.say("offer", { offer: JOIN });
  page.say("want", { verb: "join", turn: JOIN.turn });
  page.snapshot(lobby({ offers: [] }));
  page.hear(answer(page.sent("intent")[0], { outcome: "refused", said: "All seats are taken" }));
  assert.deepEqual([page.state.sheet.offer, page.state.toast.text], [JOIN, "All seats are taken"]);
  page.snapshot(view({ seatless: false, offers: [offer("leave")] }));
  assert.equal(page.state.sheet, null);
});

test("the terms of one table are not those of another", () => {
  const page = Page.at(lobby());
  page.say("offer", { offer: JOIN });
  page.snapshot(lobby({ table: 2 }));
  assert.equal(page.state.sheet, null);
});

test("a press that takes chips under the amount on its label asks for nothing else", () => {
  const rebuy = offer("rebuy", { label: "Rebuy 200", turn: "0123456789ab" });
  const page = Page.at(view({ mine: null, offers: [rebuy] }));
  page.say("offer", { offer: rebuy });
  page.say("offer", { offer: rebuy });
  assert.deepEqual(page.sent("intent").map(({ verb, turn }) => [verb, turn]), [["rebuy", rebuy.turn]], "one at a time");
});

test("what is seldom wanted is in the menu, and so is the way out while something is to be done or read", () => {
  const all = ["leave", "invite", "sit_out", "top_up", "let_watch", "rebuy"].map((verb) => offer(verb));
  assert.deepEqual(verbs(view({ offers: all })), ["leave", "sit_out", "top_up", "let_watch"]);
  assert.deepEqual(verbs(view({ offers: all, mine: null })), ["sit_out", "top_up", "let_watch"]);
  assert.deepEqual(verbs(view({ offers: all, mine: null, result: { hand: 1, title: "Hand 1", duel: null } })), ["leave", "invite", "sit_out", "top_up", "let_watch"]);
  assert.deepEqual(verbs(view({ offers: all, mine: null, seats: [seat("Bob", { waiting: true })] })), ["leave", "sit_out", "top_up", "let_watch"]);
});

test("the menu stays the same while the last hand is looked at", () => {
  const all = ["leave", "sit_out", "start_now"].map((verb) => offer(verb));
  const over = { hand: 1, title: "Hand 1", totals: [], notes: [], pairs: [], duel: { seats: [], pairs: [] } };
  const page = Page.at(view({ mine: null, result: over, offers: all }));
  page.snapshot(view({ offers: all }));
  page.say("lookAgain");
  assert.deepEqual(looked(page.state).view.offers.map(({ verb }) => verb), ["leave", "sit_out"]);
});

test("an invitation is given away", () => {
  const page = Page.at(view({ mine: null }));
  page.say("offer", { offer: offer("invite") });
  const [ask] = page.sent("read");
  page.hear({ type: "found", id: ask.id, what: "invite", text: "https://discord.com/channels/1/2/3", name: "", chapters: [], past: null, names: {} });
  assert.deepEqual(page.done.find((deed) => deed.do === "give"), { do: "give", address: "https://discord.com/channels/1/2/3", said: "Invited" });
});
