// A table as the bot shows it, and a page that is told messages one after the other.

import { next, START } from "../../../page/state/state.js";

export const WORDS = {
  joint: ", ", named: "{name}: {text}", pause: ". ", cards: "Your cards", full: "{row} is full", placed: "{card} to {row}", undone: "{card} back",
  more: "{count} more", offline: "No connection", online: "Back", working: "Thinking", hint_placed: "Placed", turn_there: "{table} waits", hint_choice: "Choice {number}",
  discard: "Discard", waits: "It stays", stream_renewed: "Renewed", shared: "Copied", invited: "Invited",
};
const CARDS = Object.fromEntries([..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => [rank + suit, `${rank} of ${suit}`])));

/** What the bot says of a draft. */
export const drafted = (letters, { turn = "t1", verb = "confirm", ...more } = {}) => ({
  turn, letters, hands: ["", "", ""], level: "", warning: "", asked: "", confirm: { verb, label: "Confirm", ready: !letters.includes("."), danger: false }, type: "drafted", ...more,
});

export const seat = (name, more = {}) => ({
  name, you: false, chips: "", note: "", waiting: false, placed: false, rows: [[], [], []], hands: ["", "", ""], latest: [], held: [], discards: [], until: null, gained: "", fouled: false, ...more,
});

/** One's own cards that are to be placed. */
export const mine = (cards, more = {}) => ({
  turn: "t1", cards, to_place: Math.min(cards.length, cards.length === 3 ? 2 : 13), whole: cards.length > 5, told: "", discards: "", draft: drafted(".".repeat(cards.length)), ...more,
});

export const view = (more = {}) => ({
  table: 1, title: "Table 1", about: "", status: "Alice is on turn", yours: false, until: null, bank: 0, colours: "four", row_names: ["Front", "Middle", "Back"],
  seats: [seat("Alice", { you: true }), seat("Bob")], mine: mine(["Ah", "Kd", "Qc", "Js", "Th"]), result: null, offers: [], tables: [], watches: false, past: 0, event: null, ...more,
});

/** A page: each message makes another state, and what it has the page do is kept. */
export class Page {
  constructor() {
    this.state = START;
    this.at = 1_000_000;
    this.count = 0;
    this.done = [];
  }

  say(type, more = {}) {
    const before = JSON.stringify(this.state);
    const state = next(this.state, { type, at: this.at, chance: `id-${++this.count}`, ...more });
    if (JSON.stringify(this.state) !== before) throw new Error(`${type} has changed the state before it`);
    this.state = state;
    this.done.push(...state.todo);
    return state;
  }

  hear(sent) {
    return this.say("heard", { sent });
  }

  /** The page with words and a view. */
  static at(seen = view()) {
    const page = new Page();
    page.say("open", { language: "en", table: 0, requests: [], shared: false, saved: false });
    page.hear({ type: "words", language: "en", words: WORDS, cards: CARDS });
    page.snapshot(seen);
    page.done = [];
    return page;
  }

  snapshot(seen, now = this.at) {
    return this.hear({ type: "snapshot", now, state: "s1", view: seen });
  }

  /** The messages that were sent, and those of one kind. */
  sent(type) {
    return this.done.filter((deed) => deed.do === "send" && (!type || deed.message.type === type)).map(({ message }) => message);
  }

  said() {
    return this.done.filter((deed) => deed.do === "say").map(({ text }) => text);
  }
}
