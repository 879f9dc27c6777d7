// Watching several tables: what is asked for, and what is asked again on a new connection.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Page, seat, view } from "./table.mjs";

const watched = (more = {}) => view({ mine: null, watches: true, seats: [seat("Alice"), seat("Bob")], others: 2, beside: [], ...more });
const looks = (page) => page.done.flatMap((deed) => (deed.do === "send" && deed.message.type === "look" ? [deed.message] : []));

test("the others are asked for together with the table, and taken away again", () => {
  const page = Page.at(watched());
  page.say("look", { table: 1, all: true });
  page.say("look", { table: 2 });
  page.say("look", { table: 2, all: false });
  assert.deepEqual(looks(page), [{ type: "look", table: 1, beside: true }, { type: "look", table: 2, beside: true }, { type: "look", table: 2 }]);
});

test("a bot that offers no others isn't asked for them", () => {
  const page = Page.at(view({ mine: null, watches: true }));
  page.say("look", { table: 1, all: true });
  assert.deepEqual(looks(page), [{ type: "look", table: 1 }]);
});

test("a new connection is asked for the others once", () => {
  const page = Page.at(watched());
  page.say("look", { table: 1, all: true });
  page.done = [];
  page.snapshot(watched());
  assert.deepEqual(looks(page), [{ type: "look", table: 1, beside: true }]);
  page.done = [];
  page.hear({ type: "change", now: page.at, state: "later", parts: { beside: [{ table: 2, title: "Table 2", status: "", seats: [] }] } });
  assert.deepEqual(looks(page), []);
});

test("the others are there again after a look at one's own table", () => {
  const page = Page.at(watched());
  page.say("look", { table: 1, all: true });
  const change = (parts) => page.hear({ type: "change", now: page.at, state: "later", parts });
  const { seats, mine } = view();
  change({ table: 3, watches: false, seats, mine, others: 0, beside: [] });
  page.say("look", { table: 1 });
  page.done = [];
  change({ table: 1, watches: true, seats: [seat("Alice"), seat("Bob")], mine: null, others: 2, beside: [] });
  assert.deepEqual(looks(page), [{ type: "look", table: 1, beside: true }]);
  page.done = [];
  change({ beside: [{ table: 2, title: "Table 2", status: "", seats: [] }] });
  assert.deepEqual(looks(page), []);
});

test("a page of an event has its tables without asking", () => {
  const page = Page.at(watched());
  page.say("look", { table: 1, all: true });
  page.done = [];
  page.snapshot(watched({ event: { title: "Friday", standings: [], headings: [], boards: [] } }));
  assert.deepEqual(looks(page), []);
});

test("whoever comes to a seat asks for no others", () => {
  const page = Page.at(watched());
  page.say("look", { table: 1, all: true });
  page.done = [];
  page.snapshot(view({ others: 0 }));
  assert.deepEqual(looks(page), []);
});
