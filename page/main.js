// The table: what is shown follows from the view and from one's own draft, and is drawn anew when one of them changes.

import { listed, named, paused } from "./aloud.js";
import { badge, callTurn, readySound } from "./alerts.js";
import { nameLine, pile, resultOf, seatBoard } from "./boards.js";
import { answerCalls, callText, callsOf, drawCall, newCalls, tickCall } from "./calls.js";
import { drawFace, shape, sorted } from "./cards.js";
import { Clock } from "./clock.js";
import { byId, heard, make, morph, relative, sentence, unbroken } from "./dom.js";
import { door } from "./door.js";
import { dragging } from "./drag.js";
import { Draft, ROWS, SIZES } from "./draft.js";
import { fit } from "./fit.js";
import { goOn, home, keepFocus, onControl } from "./focus.js";
import { hintOf, suggested } from "./hint.js";
import { Link, brought } from "./link.js";
import { showPast } from "./past.js";
import { rulesOf } from "./prose.js";
import { showRecord } from "./record.js";
import { closeIfOver, closeSheet, lasts, openSheet, saveFile } from "./sheet.js";
import { showStream } from "./stream.js";
import { drawEvent, overlay } from "./watch.js";
import { choose, wish } from "./wishes.js";

/** @typedef {import("./protocol").View} View */
/** @typedef {import("./draft.js").Row} Row */

/** @type {Record<string, string>} */
let words = {};
/** @type {Record<string, string>} */
let cards = {};
let language = "en";
/** @type {View | null} */
let view = null;
/** @type {Draft | null} */
let draft = null;
/** @type {import("./protocol").Drafted | null} */
let drafted = null;
let turn = "";
/** @type {"dealt" | "rank" | "suit"} */
let order = "dealt";
let ahead = 0;
let asleep = false;
let sure = "";
/** @type {import("./protocol").Hinted | null} */
let hint = null;
/** The suggestion of the hint that is shown on the board. */
let suggestion = 0;
/** What a retry that was asked for begins with. */
let begins = "";
let drawLater = false;
/** @type {Link | null} */
let link = null;

const main = byId("main");
const own = byId("own");
const others = byId("others");
const ended = byId("ended");
const bar = byId("bar");
const toast = byId("toast");
const live = byId("live");
byId("sheet").addEventListener("close", () => {
  inFront();
  if (document.activeElement === document.body) home()?.focus();
});
const tables = /** @type {HTMLSelectElement} */ (byId("tables"));
const now = () => Date.now() + ahead;
const told = { get words() { return words; }, get cards() { return cards; }, get language() { return language; }, now };
const clock = new Clock(byId("clock"), told);

// what is said

/** What is said stands on the sheet that is open: behind it nobody would see or hear it. */
function inFront() {
  const place = document.querySelector("dialog[open]") ?? document.body;
  if (toast.parentElement !== place) place.append(toast, live);
}

let saying = 0;
/** @param {string} text */
function say(text) {
  const line = heard(text, language, now);
  inFront();
  if (line) live.textContent = line;
}

/**
 * @param {string} text
 * @param {"" | "lasting" | "trouble"} [how] what lasts stays until something else is told
 */
function tell(text, how = "") {
  clearTimeout(saying);
  toast.replaceChildren(...sentence(text, language, now));
  toast.hidden = !text;
  toast.className = how;
  inFront();
  say(text);
  if (!how) saying = setTimeout(() => { toast.hidden = true; }, 6000);
}

// what is heard

/**
 * @param {import("./protocol").Sent} message
 * @param {import("./link.js").Ask} [ask] the request that it's about
 */
function hear(message, ask) {
  switch (message.type) {
    case "words":
      ({ words, cards, language } = message);
      document.documentElement.lang = language;
      settings();
      later();
      break;
    case "snapshot":
      ahead = message.now - Date.now();
      see(message.view);
      catchUp();
      break;
    case "change":
      ahead = message.now - Date.now();
      if (view) see({ ...view, ...message.parts });
      break;
    case "current":
      ahead = message.now - Date.now();
      catchUp();
      break;
    case "drafted":
      if (draft && message.turn === turn) {
        const news = message.warning !== drafted?.warning;
        drafted = message;
        later();
        if (news && message.letters.replaceAll("D", ".") === draft.letters) say(message.warning);
      }
      break;
    case "working":
      if (ask) tell(words.working, "lasting");
      break;
    case "answer":
      answered(message, ask);
      break;
    case "found":
      found(message, ask);
      break;
    case "bye":
      asleep = !message.again;
      document.documentElement.classList.toggle("over", asleep);
      tell(message.said, "trouble");
      break;
    case "pong":
  }
}

/**
 * @param {import("./protocol").Answer} message
 * @param {import("./link.js").Ask} [ask]
 */
function answered(message, ask) {
  const wanted = ask?.message.type === "intent" ? ask.message : null;
  if (toast.className) toast.hidden = true;
  // What comes too late for its cards is about nothing that is to be seen.
  const over = wanted !== null && (wanted.table !== view?.table || wanted.turn !== turn);
  if (wanted?.verb === "arrange" && message.letters && draft && !over) {
    draft.take(message.letters);
    send();
  }
  if (message.hint) {
    hint = message.hint;
    suggestion = 0;
    if (hintNow()) say(heardOf(hint));
  }
  if (message.stream) streamGiven(message.stream, wanted?.verb === "stream_renew" ? words.stream_renewed : "");
  if (wanted?.verb === "stream_end" && message.outcome === "done") closeSheet();
  if (wanted?.verb === "retry") {
    if (message.outcome === "done" && begins) placeAll(begins);
    begins = "";
  }
  if (message.said) tell(message.said);
  later();
}

// a hint

/** The hint on the cards that are to be placed now; it is over with them. */
function hintNow() {
  return hint && view?.mine && hint.turn === turn && may() ? hint : null;
}

/** @param {import("./protocol").Hinted} hint */
function heardOf(hint) {
  const cards = view?.mine?.cards ?? [];
  const each = hint.placements.map((one, number) => paused(words, [suggested(hint, number, cards, view?.row_names ?? [], told), ...one.facts.split("\n")]));
  return paused(words, [hint.title, ...each, hint.note]);
}

/** @param {number} number */
function suggest(number) {
  if (suggestion === number || !hintNow()) return;
  suggestion = number;
  draw();
}

/**
 * Draft a whole placement.
 * @param {string} letters
 */
function placeAll(letters) {
  if (!draft || !may()) return;
  draft.take(letters);
  say(words.hint_placed);
  moved();
}

// streams

/**
 * @param {string} link
 * @param {string} said
 */
function streamGiven(link, said) {
  const address = `${door.home}?overlay${view?.table ? `&table=${view.table}` : ""}#${link}`;
  showStream(address, said, words, { open: () => door.away(address), copied: () => tell(words.copied), want: (verb) => want(verb, "") });
}

// what is read

/**
 * @param {import("./protocol").Read["what"]} what
 * @param {number} hand
 * @param {number} [table]
 */
function read(what, hand, table = view?.table ?? 0) {
  if (!link || link.asks(what)) return;
  const scrubber = document.querySelector("#sheet[open] #scrubber");
  link.ask({ type: "read", what, table, hand }, scrubber instanceof HTMLInputElement && what === "review" ? Number(scrubber.value) : 0);
  draw();
}

/**
 * @param {import("./protocol").Found} message
 * @param {import("./link.js").Ask} [ask]
 */
function found(message, ask) {
  if (message.what === "rules") {
    const table = ask?.message.table;
    if (view && table !== view.table) return;
    openSheet(words.rules, words.close, ...rulesOf(message.chapters, told));
    lasts((seen) => seen.table === table);
  } else if (message.past) {
    const { table, hand, played } = message.past;
    const whole = message.past.steps[message.past.steps.length - 1].seats[0].rows.flat().length === 13;
    const retry = played && whole ? (/** @type {number} */ from, letters = "") => {
      closeSheet();
      begins = letters;
      hint = null;
      link?.ask({ type: "intent", verb: "retry", table, turn: `${hand}.${from}`, letters: "" });
    } : null;
    showPast(message.past, told, { read: (what) => read(what, hand, table), retry, start: ask?.start ?? 0 });
  } else if (message.what === "file") saveFile(message.name, message.text);
  else if (message.what === "record") showRecord(language, cards, message.text, message.names);
  else if (message.what === "link") share(`${door.home}#${message.text}`, words.shared);
  else if (message.what === "invite") share(message.text, words.invited);
  inFront();
}

/**
 * @param {string} address
 * @param {string} said once it's on the clipboard
 */
async function share(address, said) {
  try {
    await navigator.clipboard.writeText(address);
    tell(said);
  } catch {
    openSheet(words.share_here, words.close, make("input", { type: "text", readonly: "", value: address, "aria-label": words.share_here }));
  }
}

/** @param {View} seen */
function see(seen) {
  const before = view;
  view = seen;
  if (link) link.table = seen.table;
  const mine = seen.mine;
  if (!mine) {
    draft = drafted = null;
    turn = "";
  } else if (mine.turn !== turn || !draft) {
    turn = mine.turn;
    sent = [];
    draft = new Draft(mine, seen.seats[0].rows);
    drafted = mine.draft;
    order = mine.whole ? (order === "suit" ? "suit" : "rank") : "dealt";
    sure = "";
  } else {
    // Drawn elsewhere, such as on the panel beside this page, unless it is what was moved here a moment ago.
    const own = sent.indexOf(mine.draft.letters.replaceAll("D", "."));
    const elsewhere = mine.draft.letters !== before?.mine?.draft.letters && own < 0;
    sent = elsewhere ? [] : sent.slice(own + 1);
    if (elsewhere) draft.take(mine.draft.letters);
    if (elsewhere || drafted?.letters === mine.draft.letters) drafted = mine.draft;
    else if (drafted && drafted.confirm.verb !== mine.draft.confirm.verb) {
      // It's one's turn by now, say: what a press would do is another thing, which is asked for anew.
      drafted = { ...drafted, letters: "", asked: mine.draft.asked, confirm: { ...mine.draft.confirm, ready: false } };
      send();
    }
  }
  closeIfOver(seen);
  if (before && ((seen.yours && !before.yours) || newCalls(seen.tables, before.tables).length)) callTurn();
  news(before, seen);
  if (menuOf(before) !== menuOf(seen)) settings();
  later();
}

/**
 * What of a view the menu shows.
 * @param {View | null} seen
 */
function menuOf(seen) {
  return JSON.stringify([seen?.table, seen?.past, seen?.watches, seen?.offers.find(ofTheMenu)]);
}

/**
 * True for an offer that is in the menu and not below the board.
 * @template {{verb: string}} Offer
 * @param {Offer} offer
 * @returns {offer is Offer & {verb: "let_watch" | "unwatch"}}
 */
function ofTheMenu(offer) {
  return offer.verb === "let_watch" || offer.verb === "unwatch";
}

/**
 * The cards that were placed last, row by row.
 * @param {import("./protocol").SeatShown} seat
 * @param {readonly string[]} rowNames
 */
function placedOn(seat, rowNames) {
  const latest = [...seat.latest];
  return seat.rows.flatMap((row, number) => {
    const added = row.filter((code) => latest.includes(code) && latest.splice(latest.indexOf(code), 1));
    return added.length ? [named(words, rowNames[number], listed(words, added.map((code) => cards[code])))] : [];
  });
}

/**
 * What has happened, for who hears it.
 * @param {View | null} before
 * @param {View} seen
 */
function news(before, seen) {
  const lines = [];
  if (before && before.table === seen.table) {
    for (const seat of seen.seats) {
      const then = before.seats.find((one) => one.name === seat.name);
      if (!seat.you && seat.latest.length && then && String(then.latest) !== String(seat.latest)) {
        lines.push(seat.name, ...placedOn(seat, seen.row_names));
      }
    }
  }
  if (seen.result && (seen.table !== before?.table || seen.result.title !== before.result?.title)) lines.push(seen.result.title, ...seen.result.totals);
  if (seen.status !== before?.status) lines.push(seen.status);
  if (seen.mine && seen.mine.turn !== before?.mine?.turn) {
    lines.push(named(words, words.cards, listed(words, seen.mine.cards.map((code) => cards[code]))));
  }
  lines.push(...newCalls(seen.tables, before?.tables ?? []).map((call) => callText(call, words)));
  if (lines.length) say(paused(words, lines));
}

// what is wanted

/** @type {string[]} What was sent and is not seen in a view yet, oldest first. */
let sent = [];
function send() {
  if (!view?.mine || !draft) return;
  sent.push(draft.letters);
  link?.send({ type: "draft", table: view.table, turn, letters: draft.letters });
}

/** The draft was changed here: what was told before is over. */
function moved() {
  quiet();
  send();
  draw();
}

/** Take away what was told for a moment. */
function quiet() {
  if (!toast.className) toast.hidden = true;
}

/** What was moved while nobody heard it is told now. */
function catchUp() {
  if (draft && may() && draft.letters !== drafted?.letters.replaceAll("D", ".")) send();
}

/**
 * @param {import("./protocol").Intent["verb"]} verb
 * @param {string} [seen]
 */
function want(verb, seen = turn) {
  if (!view || !link || link.asks(verb)) return;
  const letters = draft?.letters ?? "";
  quiet(); // what was told is over with the next act
  // A try may come to the very cards for which there was a hint.
  if (verb === "retry" || verb === "end_retry") hint = null;
  link.ask({ type: "intent", verb, table: view.table, turn: seen, letters });
  draw();
}

/** True while one's cards may be moved. */
function may() {
  return Boolean(view?.mine && draft && drafted?.confirm.verb !== "take_back");
}

function shown() {
  return view?.mine ? sorted(view.mine.cards, order) : [];
}

/** @param {number} number */
function rowName(number) {
  return view?.row_names[number] ?? "";
}

/**
 * @param {Row} row
 * @param {number | null} [place]
 */
function put(row, place = draft?.next(shown()) ?? null) {
  if (!view?.mine || !draft || !may() || place === null) return;
  const name = rowName(ROWS.indexOf(row));
  if (!draft.put(place, row)) {
    tell(words.full.replace("{row}", name));
    return;
  }
  say(words.placed.replace("{card}", cards[view.mine.cards[place]]).replace("{row}", name));
  moved();
}

/** @param {number} place */
function takeBack(place) {
  if (!view?.mine || !draft || !may() || draft.places[place] === ".") return;
  draft.back(place);
  draft.chosen = place;
  say(words.undone.replace("{card}", cards[view.mine.cards[place]]));
  moved();
}

/**
 * The card that was chosen goes where another lies: beside it where there is room, else in its place.
 * @param {number} chosen
 * @param {number} other
 */
function exchange(chosen, other) {
  if (!draft || !view?.mine) return;
  const row = /** @type {Row} */ (draft.places[other]);
  if (draft.room(row) > 0 && !draft.complete) {
    put(row, chosen);
    return;
  }
  draft.swap(chosen, other);
  say(words.placed.replace("{card}", cards[view.mine.cards[chosen]]).replace("{row}", rowName(ROWS.indexOf(row))));
  moved();
}

/** @param {number} place */
function tap(place) {
  if (!draft || !may()) return;
  if (draft.places[place] !== ".") {
    if (draft.chosen !== null && draft.places[draft.chosen] === ".") exchange(draft.chosen, place);
    else takeBack(place);
  } else {
    draft.chosen = draft.chosen === place ? null : place;
    quiet();
    draw();
  }
}

function undo() {
  const place = may() ? draft?.undo() : null;
  if (place === null || place === undefined || !view?.mine) return;
  say(words.undone.replace("{card}", cards[view.mine.cards[place]]));
  moved();
}

function clear() {
  if (!may() || !draft?.order.length) return;
  draft.clear();
  moved();
}

function sort() {
  order = order === "rank" ? "suit" : "rank";
  draw();
}

/** True where what was answered is of the draft as it stands. */
function settled() {
  return Boolean(draft && drafted && drafted.letters.replaceAll("D", ".") === draft.letters);
}

function confirm() {
  const by = drafted?.confirm;
  if (by?.verb && by.ready && (settled() || by.verb === "take_back")) want(by.verb);
  else if (may() && draft && !draft.complete) tell(words.more.replace("{count}", String(draft.toPlace - draft.order.length)));
}

// what is drawn

let planned = 0;
/** Draw it soon: several messages make one drawing. */
function later() {
  if (!planned) planned = setTimeout(draw, 0);
}

function draw() {
  if (drag.busy) {
    drawLater = true;
    return;
  }
  drawLater = false;
  clearTimeout(planned);
  planned = 0;
  if (view) keepFocus(() => drawAll(/** @type {View} */ (view)));
}

/** @param {View} view */
function drawAll(view) {
  byId("title").textContent = byId("title").title = view.title;
  byId("about").textContent = view.about;
  const [call] = callsOf(view.tables);
  badge(view.yours || Boolean(call));
  document.title = view.yours ? `● ${words.turn} · ${view.title}` : call ? `● ${callText(call, words)}` : view.title;
  clock.set(view.until, view.yours, now(), view.bank);
  byId("clock").setAttribute("aria-label", words.clock);
  document.documentElement.classList.toggle("two", !wish("colours", view.colours === "four"));
  document.documentElement.classList.toggle("watches", view.watches);
  document.documentElement.style.setProperty("--all", String(Math.max(1, view.seats.length)));
  drawTables(view);
  drawCall(view.tables, told);
  drawOthers(view);
  drawEvent(view, told, look);
  drawOwn(view);
  drawBar(view);
  refit();
}

/** @param {View} view */
function drawTables(view) {
  const chosen = view.tables.find((one) => one.chosen);
  tables.hidden = !chosen;
  tables.setAttribute("aria-label", words.table);
  tables.title = chosen?.title ?? "";
  const option = (/** @type {import("./protocol").TableChoice} */ one) => {
    const made = make("option", { value: String(one.table), text: one.waits && !one.chosen ? `● ${words.table_waits.replace("{table}", () => one.title)}` : one.title });
    made.selected = one.chosen;
    return made;
  };
  const watched = view.tables.filter((one) => one.watch);
  const group = watched.length ? make("optgroup", { label: words.watched_tables }, ...watched.map(option)) : null;
  tables.replaceChildren(...view.tables.filter((one) => !one.watch).map(option), ...(group ? [group] : []));
}

/** @param {number} table */
function look(table) {
  if (!link) return;
  link.table = table; // where it is asked for once more if the connection is lost before the answer
  link.send({ type: "look", table });
}

let drawnOthers = "";
/** @param {View} view */
function drawOthers(view) {
  const seats = view.seats.filter((seat) => !seat.you);
  const what = JSON.stringify([seats, view.row_names, language]);
  if (what === drawnOthers) return;
  drawnOthers = what;
  others.hidden = !seats.length;
  others.style.setProperty("--seats", String(seats.length));
  others.setAttribute("aria-label", words.others);
  others.replaceChildren(...seats.map((seat) => seatBoard(seat, view.row_names, told)));
}

/** @param {View} view */
function drawOwn(view) {
  const seat = view.seats.find((one) => one.you);
  const parts = [];
  if (seat) {
    const head = nameLine(seat);
    if (seat.note) head.append(make("span", { class: "note", text: seat.note }));
    parts.push(head, ownBoard(seat, view.mine));
    const left = view.mine && draft?.complete ? view.mine.cards.filter((_, place) => draft?.places[place] === ".") : [];
    if (seat.discards.length && !left.length) parts.push(pile(seat.discards, view.mine?.discards || words.discards, told));
  }
  parts.push(lines(view));
  if (view.mine && draft) parts.push(tray(view.mine, draft));
  const shownHint = hintNow();
  if (shownHint && view.mine) parts.push(hintOf(shownHint, suggestion, view.mine.cards, view.row_names, told));
  for (const offer of view.offers) {
    if (offer.text && (!offer.sure || sure === offer.verb)) parts.push(make("p", { class: "offer-text" }, ...sentence(offer.text, language, now)));
  }
  morph(own, make("section", { id: "own", class: view.yours ? "turn" : "" }, ...parts));
  morph(ended, make("section", { id: "ended", hidden: view.result ? undefined : "" }, view.result && resultOf(view.result, told)));
}

/**
 * @param {import("./protocol").SeatShown} seat
 * @param {import("./protocol").Mine | null} mine
 */
function ownBoard(seat, mine) {
  const board = make("section", { class: `board${mine && !settled() ? " pending" : ""}`, "aria-label": words.board, "data-key": "board", tabindex: "-1" });
  const hands = mine && drafted ? drafted.hands : seat.hands;
  const chosen = draft?.next(shown()) ?? null;
  ROWS.forEach((letter, number) => {
    const there = seat.rows[number];
    const added = mine && draft ? shown().filter((place) => draft?.places[place] === letter) : [];
    const filled = there.length + added.length;
    const open = may() && chosen !== null && filled < SIZES[letter];
    const names = listed(words, [...there, ...added.map((place) => mine?.cards[place] ?? "")].map((code) => cards[code]));
    const count = `${rowName(number)} ${filled}/${SIZES[letter]}`;
    const label = make("button", { type: "button", "data-key": `row-${letter}`, text: count });
    label.setAttribute("aria-label", paused(words, [named(words, count, names || words.empty), hands[number]]));
    if (!mine) label.disabled = true;
    const slots = make("div", { class: "slots" });
    for (const code of there) {
      const face = drawFace(code, make("span", { role: "img", "aria-label": cards[code] }));
      slots.append(face);
    }
    for (const place of added) slots.append(ownCard(place, mine?.cards[place] ?? "?", "draft"));
    const ghosts = mine && draft && !draft.complete ? hintNow()?.placements[suggestion].letters ?? "" : "";
    const coming = shown().filter((place) => ghosts[place] === letter && draft?.places[place] !== letter);
    for (let free = filled; free < SIZES[letter]; free++) {
      const place = coming.shift();
      slots.append(make("span", { class: "slot" }, place === undefined ? null : ghost(mine?.cards[place] ?? "?")));
    }
    const row = make("div", { class: `row${open ? " open" : ""}`, "data-row": letter },
      make("div", { class: "line" }, label, make("div", { class: "made", text: unbroken(hands[number]), "aria-hidden": "true" })), slots);
    board.append(row);
  });
  return board;
}

/**
 * A card where a hint would put it. The suggestion itself says so to who hears it.
 * @param {string} code
 */
function ghost(code) {
  return drawFace(code, make("span", { class: "hinted", "aria-hidden": "true" }));
}

/**
 * @param {number} place
 * @param {string} code
 * @param {string} kind
 */
function ownCard(place, code, kind) {
  const face = drawFace(code, make("button", { type: "button", "data-card": String(place), "data-key": `card-${place}`, "aria-label": cards[code] }));
  if (kind) face.classList.add(kind);
  return face;
}

/**
 * @param {import("./protocol").Mine} mine
 * @param {Draft} draft
 */
function tray(mine, draft) {
  const left = shown().filter((place) => draft.places[place] === ".");
  // A screen reader leaves all keys to an application, letters too; its name says which cards are in it.
  const name = named(words, draft.complete ? words.discards : words.cards, listed(words, left.map((place) => cards[mine.cards[place]])));
  const box = make("section", { id: "tray", class: mine.whole ? "whole" : undefined, role: left.length ? "application" : undefined, "aria-label": name, "data-tray": "" });
  const next = draft.next(shown());
  if (draft.complete && draft.toPlace < draft.count) box.append(make("span", { class: "left", text: words.discards, "aria-hidden": "true" }));
  for (const place of left) {
    const face = ownCard(place, mine.cards[place], draft.complete ? "out" : "");
    face.classList.toggle("chosen", place === next);
    face.setAttribute("aria-pressed", String(place === next));
    box.append(face);
  }
  return box;
}

/** @param {View} view */
function lines(view) {
  const box = make("div", { id: "told" });
  const add = (/** @type {string} */ text, /** @type {string} */ name) => {
    for (const line of text.split("\n")) {
      if (line) box.append(make("div", {}, make("span", { class: name }, ...sentence(line, language, now))));
    }
  };
  if (view.watches && view.table && !overlay) box.append(make("div", {}, make("span", { class: "watching", text: words.watching })));
  add(view.status, `status${view.yours ? " yours" : ""}`);
  if (view.mine && drafted) {
    if (!draft?.order.length || view.seats[0].placed) add(view.mine.told, "asked");
    add(drafted.warning, drafted.level);
    add(drafted.asked, "asked");
  }
  return box;
}

/** @type {Map<string, () => void>} What each button of the bar does now. */
const acts = new Map();

/** @param {View} view */
function drawBar(view) {
  acts.clear();
  /** @type {HTMLButtonElement[]} */
  const made = [];
  const add = (/** @type {string} */ key, /** @type {string} */ label, /** @type {() => void} */ act, off = false) => {
    const one = make("button", { type: "button", "data-key": key, text: label });
    one.disabled = off;
    // While it's under way a button keeps the focus, and does nothing.
    if (link?.asks(key === "confirm" ? drafted?.confirm.verb ?? "" : key)) one.setAttribute("aria-disabled", "true");
    acts.set(key, act);
    made.push(one);
    return one;
  };
  if (view.mine && draft && drafted) {
    if (may()) {
      add("undo", words.undo, undo, !draft.order.length);
      if (view.mine.whole || view.mine.cards.length > 3) add("clear", words.clear, clear, !draft.order.length);
      if (view.mine.whole) {
        add("sort", order === "rank" ? words.by_suit : words.by_rank, sort);
        add("arrange", words.arrange, () => want("arrange"));
      }
    }
    const by = drafted.confirm;
    const off = !by.ready || (!settled() && by.verb !== "take_back");
    const one = add("confirm", by.label, confirm, off);
    one.className = by.danger ? "main danger" : "main";
  }
  for (const offer of view.offers.filter((one) => !ofTheMenu(one))) {
    const asks = offer.sure !== "" && sure !== offer.verb;
    const label = offer.sure && !asks ? offer.sure : offer.label;
    const one = add(offer.verb, label, () => {
      if (offer.verb === "hint" && hintNow()) {
        hint = null;
        draw();
      } else if (asks) {
        sure = offer.verb;
        say(offer.text);
        draw();
      } else if (offer.verb === "invite") read("invite", 0);
      else want(offer.verb, offer.turn);
    });
    if (offer.verb === "hint") one.setAttribute("aria-expanded", String(Boolean(hintNow())));
    if (offer.sure) one.className = "risky";
    else if (!view.mine && !["retry", "end_retry", "leave", "invite"].includes(offer.verb)) one.className = "main";
  }
  if (view.result && view.past) {
    const hand = view.past;
    if (view.seats.some((seat) => seat.you)) add("review", words.review, () => read("review", hand));
    add("past", words.replay, () => read("past", hand));
  }
  const shared = sharedHand();
  if (shared) add("past", words.replay, () => read("past", shared.hand, shared.table)).className = "main";
  morph(bar, make("footer", { id: "bar" }, ...made));
}

let fitted = "";
function refit() {
  if (document.hidden || (toFit() === fitted && main.scrollHeight <= main.clientHeight + 1)) return;
  fit(main, view?.mine?.cards.length ?? 0, Boolean(view?.result || view?.watches));
  fitted = toFit();
}

/** What sizes depend on: as long as it's the same, they stay. */
function toFit() {
  const seats = view?.seats.map((seat) => [seat.held.length > 0, seat.discards.length > 0, seat.you]);
  return JSON.stringify([innerWidth, main.clientHeight, seats, view?.mine?.cards.length, draft?.complete, Boolean(view?.result), bar.childElementCount, own.childElementCount, language]);
}

// settings

const night = matchMedia("(prefers-color-scheme: dark)");
night.addEventListener("change", settings);

function settings() {
  if (words.settings) keepFocus(drawSettings);
}

function drawSettings() {
  const summary = document.querySelector("#settings summary");
  summary?.setAttribute("aria-label", words.settings);
  const menu = byId("menu");
  const all = [
    ["colours", words.colours, wish("colours", view ? view.colours === "four" : true)],
    ["dark", words.dark, wish("dark", night.matches)],
    ["large", words.large, wish("large", false)],
    ["sound", words.sound, wish("sound", false)],
    ...("vibrate" in navigator ? [["vibration", words.vibration, wish("vibration", false)]] : []),
  ];
  const way = (/** @type {string} */ key, /** @type {string} */ label, /** @type {() => void} */ act) => {
    const one = make("button", { type: "button", "data-key": key, text: label });
    one.addEventListener("click", () => {
      preferences.querySelector("summary")?.focus();
      preferences.open = false;
      act();
    });
    return one;
  };
  const switches = view?.offers.find(ofTheMenu);
  const ways = make("div", { class: "ways" },
    ...(view?.table ? [way("rules", words.rules, () => read("rules", 0))] : []),
    ...(view?.past && !view.result ? [way("replay", words.replay, () => read("past", view?.past ?? 0))] : []),
    way("verify", words.verify, () => showRecord(language, cards)),
    ...(view?.table ? [way("stream", words.stream, () => want("stream", ""))] : []),
    ...(switches ? [way("watched", switches.label, () => want(switches.verb, switches.turn))] : []));
  menu.replaceChildren(ways, ...all.map(([name, label, on]) => {
    const box = make("input", { type: "checkbox", id: `wish-${name}`, "data-key": `wish-${name}` });
    box.checked = Boolean(on);
    box.addEventListener("change", () => {
      choose(String(name), box.checked);
      readySound();
      dress();
      draw();
    });
    return make("label", {}, box, String(label));
  }), make("p", { text: words.keys }));
  dress();
}

function dress() {
  const root = document.documentElement.classList;
  root.toggle("dark", wish("dark", night.matches));
  root.toggle("large", wish("large", false));
}

// hands and keys

const drag = dragging(own, {
  may,
  over(target) {
    for (const one of own.querySelectorAll(".over")) one.classList.remove("over");
    target?.closest("[data-row], [data-tray]")?.classList.add("over");
  },
  drop(place, target) {
    const row = target?.closest("[data-row]");
    if (row instanceof HTMLElement && draft) {
      const letter = /** @type {Row} */ (row.dataset.row);
      const on = target?.closest("[data-card]");
      const other = on instanceof HTMLElement ? Number(on.dataset.card) : null;
      if (other !== null && other !== place && draft.places[place] !== letter && (draft.room(letter) <= 0 || (draft.complete && draft.places[place] === "."))) {
        draft.swap(place, other);
        moved();
      } else put(letter, place);
    } else if (target?.closest("[data-tray], #own")) takeBack(place);
  },
  done() {
    if (drawLater) draw();
  },
});

own.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const asked = suggestionAt(target);
  if (asked !== null) {
    suggest(asked);
    if (target?.closest("[data-place]")) placeAll(hintNow()?.placements[asked].letters ?? "");
    return;
  }
  const face = target?.closest("[data-card]");
  if (face instanceof HTMLElement) {
    tap(Number(face.dataset.card));
    return;
  }
  const row = target?.closest("[data-row]");
  if (row instanceof HTMLElement) put(/** @type {Row} */ (row.dataset.row));
});

ended.addEventListener("click", (event) => {
  const { table = 0, result = null } = view ?? {};
  if (!result || !(event.target instanceof Element && event.target.closest(".all"))) return;
  openSheet(result.title, words.close, resultOf(result, told));
  lasts((seen) => seen.table === table && seen.result?.title === result.title);
});

/** @param {EventTarget | null} target */
function suggestionAt(target) {
  const on = target instanceof Element ? target.closest("[data-suggested]") : null;
  return on instanceof HTMLElement ? Number(on.dataset.suggested) : null;
}

// A suggestion is shown while it is pointed at or has the focus.
own.addEventListener("focusin", (event) => suggest(suggestionAt(event.target) ?? suggestion));
own.addEventListener("pointerover", (event) => {
  if (event.pointerType === "mouse") suggest(suggestionAt(event.target) ?? suggestion);
});

bar.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target.closest("button") : null;
  if (pressed && !pressed.disabled && pressed.getAttribute("aria-disabled") !== "true") acts.get(pressed.dataset.key ?? "")?.();
});

// What is pressed with the mouse doesn't take the focus: behind a press on Undo, Enter still confirms.
for (const area of [own, bar]) {
  area.addEventListener("mousedown", (event) => {
    if (event.target instanceof Element && event.target.closest("button, [data-row]")) event.preventDefault();
  });
}

/** @param {Row} row */
function putByKey(row) {
  const onCard = document.activeElement?.matches("[data-card]");
  put(row);
  if (onCard) goOn(Boolean(draft?.complete));
}

/** @param {number} step */
function step(step) {
  if (!draft || !may() || draft.complete) return;
  const free = shown().filter((place) => draft?.places[place] === ".");
  const at = free.indexOf(draft.next(shown()) ?? -1);
  draft.chosen = free[(at + step + free.length) % free.length] ?? null;
  quiet();
  draw();
  const face = document.querySelector(`[data-key="card-${draft.chosen}"]`);
  if (face instanceof HTMLElement) face.focus();
}

addEventListener("keydown", (event) => {
  if (asleep) return wake();
  if (event.key === "Escape" && preferences.open) {
    preferences.open = false;
    preferences.querySelector("summary")?.focus();
  }
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (document.querySelector("dialog[open]")) return undefined;
  if (event.ctrlKey || event.metaKey || event.altKey || target?.matches("select, input")) return undefined;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // A key that is held down presses once.
  if (event.repeat && /^(.|Enter|Backspace)$/.test(key)) event.preventDefault();
  else if (key === "F" || key === "M" || key === "B") putByKey(key);
  else if (key === "U" || key === "Backspace") undo();
  else if (key === "A" && view?.mine?.whole) want("arrange");
  else if (key === "S" && view?.mine?.whole) sort();
  else if (may() && (key === "ArrowRight" || key === "ArrowDown")) step(1);
  else if (may() && (key === "ArrowLeft" || key === "ArrowUp")) step(-1);
  else if (key === "Enter" && !onControl()) confirm();
  else return undefined;
  event.preventDefault();
  return undefined;
});

const preferences = /** @type {HTMLDetailsElement} */ (byId("settings"));
addEventListener("pointerdown", (event) => {
  if (event.target instanceof Node && !preferences.contains(event.target)) preferences.open = false;
});

answerCalls(look);
tables.addEventListener("change", () => look(Number(tables.value)));

setInterval(() => {
  clock.tick(now());
  tickCall(told);
  for (const time of document.querySelectorAll("time[data-at]")) {
    if (time instanceof HTMLElement) {
      const said = relative(Number(time.dataset.at) * 1000 - now(), language);
      if (time.textContent !== said) time.textContent = said;
    }
  }
}, 500);

// opening

let [key, asked] = brought("");

/** The hand whose link is all that this page has come with. */
function sharedHand() {
  // Only the bot knows which hand that is.
  return key.token.startsWith("hand.") ? { table: 0, hand: 0 } : null;
}

function open() {
  const given = location.hash.slice(1);
  if (given) {
    [key, asked] = brought(given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  link?.end();
  view = draft = drafted = null;
  turn = drawnOthers = fitted = begins = "";
  hint = null;
  drawCall([], told);
  asleep = false;
  document.documentElement.classList.remove("over");
  toast.hidden = true;
  for (const place of [own, others, ended, bar, byId("title"), byId("about")]) place.replaceChildren();
  if (!location.host) {
    showRecord(navigator.language, {});
    return;
  }
  const shared = sharedHand();
  link = new Link(key, asked, hear, (connected) => {
    if (!connected && view) tell(words.offline, "trouble");
    else if (connected && toast.className && !toast.hidden) tell(words.online);
  }, overlay);
  asked = [];
  if (shared) read("past", shared.hand, shared.table);
  link.table = Number(new URLSearchParams(location.search).get("table") ?? 0);
}

function wake() {
  if (asleep) open();
  else link?.wake();
}

shape("path", { d: "M19.4 13a7.500 7.500 0 0 0 0-2l2-1.600-2-3.400-2.400 1a7.500 7.500 0 0 0-1.700-1L15 3.500h-4l-.4 2.500a7.500 7.500 0 0 0-1.700 1l-2.400-1-2 3.400 2 1.600a7.500 7.500 0 0 0 0 2l-2 1.600 2 3.400 2.400-1a7.500 7.500 0 0 0 1.700 1l.4 2.500h4l.4-2.500a7.500 7.500 0 0 0 1.700-1l2.400 1 2-3.400zM13 15.500a3.500 3.500 0 1 1 0-7 3.500 3.500 0 0 1 0 7z" },
  shape("svg", { viewBox: "0 0 26 24", "aria-hidden": "true" }, document.querySelector("#settings summary") ?? undefined));
dress();
badge(false);
document.documentElement.classList.toggle("overlay", overlay);
addEventListener("hashchange", open);
addEventListener("online", wake);
addEventListener("pointerdown", () => {
  readySound();
  if (asleep) wake();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  wake();
  draw();
});
addEventListener("resize", () => { fitted = ""; draw(); });
// What grows between two drawings, such as a countdown that needs another line, is fitted again too.
const grown = new ResizeObserver(() => {
  if (main.scrollHeight > main.clientHeight + 1) later();
});
for (const part of [main, own, others, ended]) grown.observe(part);
open();
