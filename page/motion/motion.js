// Cards and chips that move. What moves is a likeness: the thing itself is in its place at once, where it can be pressed,
// and any press ends all motion. Only transform and opacity change.

import { tells } from "../state/ended.js";
import { looksBack } from "../state/shown.js";
import { sequenceOf } from "../duel/sequence.js";
import { flightsOf } from "./flights.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../protocol").View} View */
/** @typedef {import("./flights.js").Flight} Flight */

const CARD_MS = 220;
const TURN_MS = 200;
const FALL_MS = 220;
const CHIP_MS = 250;
const NEXT_MS = 35;
const CHIPS = 3;
const MOST_IN_A_ROW_MS = 300; // so long it takes at most until the last of many cards leaves
/** As in style.css: when the first step of the end of a hand begins, and how long each takes. */
const BEFORE_MS = 300;
const PACE_MS = 550;
const EASE = "cubic-bezier(.2, .7, .3, 1)";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Element} one */
const middle = (one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

export class Motion {
  constructor() {
    /** @type {View | null} The view that was drawn last. */
    this.view = null;
    /** @type {{ likeness: HTMLElement, animations: Animation[] }[]} */
    this.flying = [];
    this.told = 0;
    this.place = document.createElement("div");
    this.place.id = "motion";
    this.place.setAttribute("aria-hidden", "true");
    for (const press of ["pointerdown", "keydown"]) addEventListener(press, () => this.end(), { capture: true });
    addEventListener("resize", () => this.end());
  }

  /** End all motion: what has moved is where it belongs. */
  end() {
    for (const { likeness, animations } of this.flying) {
      for (const one of animations) one.cancel();
      likeness.remove();
    }
    this.flying = [];
  }

  /**
   * Draw, and move what has come.
   * @param {State} state
   * @param {() => void} draws
   */
  around(state, draws) {
    const before = this.view;
    const after = state.view;
    this.view = after;
    if (before === after || still.matches || document.hidden || looksBack(state)) return draws();
    const flights = flightsOf(before, after);
    const fallen = this.falling(before, after);
    this.end();
    draws();
    if (!after) return;
    if (!this.place.isConnected) document.body.append(this.place);
    for (const flight of flights) this.fly(flight, after);
    for (const { likeness } of fallen) this.fall(likeness);
    this.pay(state, after);
  }

  /**
   * The reader's discards that are about to leave the table.
   * @param {View | null} before
   * @param {View | null} after
   */
  falling(before, after) {
    const tray = document.querySelector("#tray");
    if (!before?.mine || before.table !== after?.table || before.mine.turn === after.mine?.turn || !tray) return [];
    return [...tray.querySelectorAll(".card.out")].map((card) => ({ likeness: this.liken(card) }));
  }

  /**
   * A likeness of something where it is now.
   * @param {Element} one
   */
  liken(one) {
    const { left, top, width, height } = one.getBoundingClientRect();
    const likeness = /** @type {HTMLElement} */ (one.cloneNode(true));
    for (const name of ["id", "data-card", "data-key", "aria-pressed", "tabindex"]) likeness.removeAttribute(name);
    likeness.classList.remove("chosen");
    if (likeness instanceof HTMLButtonElement) likeness.disabled = true;
    Object.assign(likeness.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    likeness.style.setProperty("--c", `${width}px`);
    return likeness;
  }

  /**
   * @param {HTMLElement} likeness
   * @param {Animation[]} animations
   */
  launch(likeness, animations) {
    this.flying.push({ likeness, animations });
    // All are taken away together: each removal makes the browser look at the whole page.
    const over = () => {
      if (this.flying.every((one) => one.animations[0].playState === "finished")) this.end();
    };
    void animations[0].finished.then(over, () => {});
  }

  /**
   * @param {Flight} flight
   * @param {View} view
   */
  fly({ kind, seat, row, at, order }, view) {
    const board = this.seat(view, seat);
    const card = kind === "deal" ? document.querySelector(`#own [data-card="${at}"]`) : board?.querySelectorAll(".row")[row]?.querySelectorAll(".slots > .card")[at];
    const dealer = view.seats.findIndex((one) => one.dealer);
    const source = kind === "turn" ? card : kind === "deal" ? this.name(view, Math.max(0, dealer)) : this.name(view, seat);
    if (!(card instanceof HTMLElement) || !card.checkVisibility() || !source) return;
    const likeness = this.liken(card);
    const back = document.createElement("span");
    back.className = "card down back";
    if (!card.classList.contains("down")) likeness.append(back);
    this.place.append(likeness);
    const [from, to] = [middle(source), middle(card)];
    const duration = kind === "turn" ? TURN_MS : CARD_MS;
    const timing = { duration, delay: Math.min(order * NEXT_MS, MOST_IN_A_ROW_MS), easing: EASE, fill: /** @type {const} */ ("backwards") };
    const shift = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
    this.launch(likeness, [
      likeness.animate([{ transform: `${shift} rotateY(180deg)`, opacity: kind === "turn" ? 1 : 0 }, { opacity: 1, offset: 0.3 }, { transform: "none", opacity: 1 }], timing),
      // Likenesses are taken away together, maybe long after this one has turned.
      back.animate([{ opacity: 1 }, { opacity: 1, offset: 0.4 }, { opacity: 0, offset: 0.41 }, { opacity: 0 }], { ...timing, fill: "both" }),
      // The card itself can be pressed meanwhile, and isn't seen twice.
      card.animate([{ opacity: 0 }, { opacity: 0 }], { ...timing, duration: timing.delay + duration, delay: 0 }),
    ]);
  }

  /** @param {HTMLElement} likeness */
  fall(likeness) {
    this.place.append(likeness);
    this.launch(likeness, [likeness.animate([{ transform: "none", opacity: 1 }, { transform: "translateY(70px) rotate(9deg)", opacity: 0 }], { duration: FALL_MS, easing: "ease-in", fill: "forwards" })]);
  }

  /**
   * Once the bonuses of a hand are told its chips go from payers to winners.
   * @param {State} state
   * @param {View} view
   */
  pay(state, view) {
    const { result } = view;
    if (!result?.duel || !tells(state) || this.told === result.hand) return;
    this.told = result.hand;
    const { steps } = sequenceOf(result.duel);
    const step = steps.includes("more") ? steps.indexOf("more") : Math.max(0, steps.filter((one) => one !== "fantasyland").length - 1);
    for (const { first, second, payer, chips } of result.duel.pairs) {
      const from = this.name(view, payer);
      const to = this.name(view, payer === first ? second : first);
      if (!chips || !from || !to) continue;
      const [start, end] = [middle(from), middle(to)];
      for (let number = 0; number < CHIPS; number++) {
        const chip = document.createElement("i");
        chip.className = "chip";
        chip.style.left = `${start.x - 8}px`;
        chip.style.top = `${start.y - 8}px`;
        this.place.append(chip);
        const delay = BEFORE_MS + step * PACE_MS + number * 2 * NEXT_MS;
        this.launch(chip, [chip.animate([
          { transform: "none", opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1, offset: 0.85 }, { transform: `translate(${end.x - start.x}px, ${end.y - start.y}px)`, opacity: 0 },
        ], { duration: CHIP_MS, delay, easing: "ease-in-out", fill: "both" })]);
      }
    }
  }

  /**
   * @param {View} view
   * @param {number} seat
   */
  seat(view, seat) {
    if (view.seats[seat]?.you) return document.querySelector("#own");
    const others = view.seats.map((one, number) => ({ one, number })).filter(({ one }) => !one.you);
    return document.querySelectorAll("#others > .seat")[others.findIndex(({ number }) => number === seat)] ?? null;
  }

  /**
   * @param {View} view
   * @param {number} seat
   */
  name(view, seat) {
    return this.seat(view, seat)?.querySelector(".name b") ?? null;
  }
}
