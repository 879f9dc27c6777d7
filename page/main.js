// The page: what happens becomes a message, each message makes another state, and each state is drawn.

import { door } from "./connection/door.js";
import { brought, chance, Link } from "./connection/link.js";
import { keepWishes, keptWishes } from "./connection/wishes.js";
import { drawPage, speak } from "./render.js";
import { loadAudience, loadHistory, loadOver, loadPeople, loadPuzzle, loadSoon, loadSounds, loadStream, overPart, soonPart, soundsPart } from "./later.js";
import { saveFile } from "./sheets/save.js";
import { loadAll } from "./sheets/sheet.js";
import { heard } from "./state/aloud.js";
import { looked } from "./state/ended.js";
import { may } from "./state/shown.js";
import { next, START } from "./state/state.js";
import { takeEarly } from "./table/early.js";
import { Fit } from "./table/fit.js";
import { home } from "./table/focus.js";
import { night } from "./table/wishes.js";
import { hasHistory } from "./table/roomy.js";
import { loadRows, rowsPart } from "./table/rows.js";

/** @typedef {(message: { type: string } & Record<string, any>) => void} Send */

const TICK_MS = 500;
const IDLE_MS = 1_500;
/** Streams show the boards alone. */
const ASKED = new URLSearchParams(location.search);
const OVERLAY = ASKED.has("overlay") || location.hash.startsWith("#stream.");
/** Streaming software keeps nothing: what its page looks like is in the address. */
const wished = () => (OVERLAY ? { dark: ASKED.get("theme") === "dark", ...(ASKED.has("deck") && { colours: ASKED.get("deck") !== "two" }) } : keptWishes());

class Page {
  constructor() {
    this.state = { ...START, home: door.home, overlay: OVERLAY, all: ASKED.has("all"), wishes: wished() };
    const [key, asked] = brought("");
    this.key = key;
    this.asked = asked;
    /** @type {Link | null} */
    this.link = null;
    this.planned = 0;
    this.spoken = "";
    /** @type {string | null} Where the focus goes with the next drawing; empty for its home. */
    this.focus = null;
    this.idle = 0;
    this.fit = new Fit();
    /** @type {import("./motion/motion.js").Motion | null} */
    this.motion = null;
    /** @type {{ readonly busy: boolean } | null} */
    this.drag = null;
  }

  /** @type {Send} */
  send = (message) => {
    const before = this.state;
    this.state = next(before, { ...message, at: Date.now(), chance: chance() });
    for (const deed of this.state.todo) this.carryOut(deed);
    if (this.state.wishes.sound) {
      void loadSounds();
      soundsPart()?.hear(before, this.state);
    }
    if (message.type === "heard") this.later();
    else this.draw();
  };

  /** Draw it soon: several messages of the bot make one drawing. */
  later() {
    this.planned ||= setTimeout(this.draw, 0);
  }

  draw = () => {
    // What is dragged stays where it is.
    if (this.drag?.busy) return;
    clearTimeout(this.planned);
    this.planned = 0;
    const draws = () => {
      drawPage(this.state, this.send, this.draw);
      this.fit.draw(this.state);
      rowsPart()?.placePays(looked(this.state));
    };
    const over = overPart();
    if (over) (this.motion ??= new over.Motion()).around(this.state, draws);
    else draws();
    if (this.state.view?.result) void loadOver(this.draw);
    if (this.state.view?.puzzle) void loadPuzzle(this.redraw);
    if (this.state.view?.watches || this.state.view?.viewers || this.state.view?.event) void loadAudience(this.draw);
    if (this.focus !== null) /** @type {HTMLElement | null} */ (this.focus ? document.querySelector(this.focus) : home())?.focus({ preventScroll: true });
    if (this.spoken) speak(this.spoken);
    this.focus = null;
    this.spoken = "";
    const { view, sheet } = this.state;
    if (view || sheet) void loadSoon(this.listen);
    if (view) void loadPeople(this.welcome);
    if (hasHistory(this.state)) {
      void loadHistory(({ watchStreets }) => {
        watchStreets(() => this.state, this.send);
        this.draw();
      });
    }
    void loadRows(() => this.state, this.send, this.draw);
    // What the first card didn't need comes now.
    if (view) this.idle ||= setTimeout(this.rest, IDLE_MS);
  };

  /** @type {Parameters<typeof loadSoon>[0]} */
  listen = ({ listen }) => {
    const now = () => looked(this.state);
    this.drag = listen(takeEarly(), now, this.send, { may: () => may(now()), done: this.draw });
    this.draw();
  };

  /** @type {Parameters<typeof loadPeople>[0]} */
  welcome = ({ listen }) => {
    listen(() => this.state);
    this.redraw();
  };

  /** What a part brings may need other sizes. */
  redraw = () => {
    this.fit.fitted = "";
    this.draw();
  };

  /** Load all that comes later. */
  rest = () => {
    loadAll();
    void loadOver(this.draw);
  };

  /** @param {import("./state/state.js").Deed} deed */
  carryOut(deed) {
    const { wishes } = this.state;
    switch (deed.do) {
      case "send":
        this.link?.send(deed.message);
        break;
      case "say":
        this.spoken = heard(deed.text, this.state) || this.spoken;
        break;
      case "focus":
        this.focus = deed.on;
        break;
      case "call":
        if (wishes.vibration) navigator.vibrate?.([120, 70, 120]);
        break;
      case "reopen":
        this.open();
        break;
      case "wake":
        this.link?.wake();
        break;
      case "save":
        saveFile(deed.name, deed.text);
        break;
      case "give":
        void (soonPart()?.give(deed, this.send) ?? this.send({ type: "share", address: deed.address }));
        break;
      case "keep":
        keepWishes(wishes);
    }
  }

  open = () => {
    const given = location.hash.slice(1);
    if (given) {
      [this.key, this.asked] = brought(given);
      history.replaceState(null, "", location.pathname + location.search);
    }
    this.link?.end();
    this.link = null;
    const saved = !location.host;
    const table = Number(ASKED.get("table") ?? 0);
    this.send({ type: "open", language: navigator.language, table, requests: this.asked, shared: this.key.token.startsWith("hand."), saved });
    this.asked = [];
    if (saved) return;
    this.link = new Link(this.key, {
      has: () => ({ table: this.state.table, state: this.state.named, overlay: OVERLAY, ...(ASKED.has("puzzle") && { puzzle: true }), ...(ASKED.has("analysis") && { analysis: true }) }),
      unanswered: () => this.state.requests.map(({ message }) => message),
      heard: (sent) => this.send({ type: "heard", sent }),
      connected: (on) => this.send({ type: "connected", on }),
    });
  };
}

const page = new Page();
const { send } = page;
if (OVERLAY) void loadStream();
page.open();
if (ASKED.has("analysis")) send({ type: "analyse", given: ASKED.get("analysis"), deeper: ASKED.has("deeper") });
addEventListener("hashchange", page.open);
addEventListener("online", () => send({ type: "wake" }));
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => page.state.asleep && send({ type: "wake" }));
document.addEventListener("visibilitychange", () => document.hidden || send({ type: "wake" }));
addEventListener("resize", page.redraw);
night.addEventListener("change", page.draw);
setInterval(() => send({ type: "tick" }), TICK_MS);
// What grows between two drawings, such as a countdown that needs another line, is fitted again too.
const grown = new ResizeObserver(() => page.fit.overflows() && page.later());
for (const part of document.querySelectorAll("#main, #own, #others, #ended")) grown.observe(part);
