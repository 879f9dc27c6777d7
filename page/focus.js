// The keyboard's place: it stays where it was, and goes somewhere sensible once that is gone.

/** @param {Element} one */
const isSeen = (one) => (one.checkVisibility ? one.checkVisibility() : one.getClientRects().length > 0);

/** @param {Element | null} one */
const usable = (one) => (one instanceof HTMLElement && !one.matches(":disabled") && isSeen(one) ? one : null);

/** Where the keyboard goes on if its place is gone: the card that is placed next, else the board. */
export function home() {
  return ["#tray .chosen", "#own .board", "#main"].map((place) => usable(document.querySelector(place))).find((one) => one !== null) ?? null;
}

/** True while a key such as Enter has something of its own to do where the focus is. */
export function onControl() {
  return Boolean(document.activeElement?.matches("button, select, input, textarea, summary, a"));
}

let confirmNext = false;

/**
 * A key has placed the card that it was on: go on to the next one. Behind the last one it's Confirm, once it can be pressed.
 * @param {boolean} complete true once all cards are placed
 */
export function goOn(complete) {
  home()?.focus({ preventScroll: true });
  confirmNext = complete;
}

/**
 * Draw, and leave the keyboard where it was.
 * @param {() => void} draws
 */
export function keepFocus(draws) {
  const before = document.activeElement;
  const key = before instanceof HTMLElement ? before.dataset.key : undefined;
  draws();
  if (!before || before === document.body || document.querySelector("dialog[open]")) return;
  const confirm = confirmNext && key === "board" ? usable(document.querySelector("#bar [data-key=confirm]")) : null;
  if (confirm || key !== "board") confirmNext = false;
  const place = confirm ?? usable(key ? document.querySelector(`[data-key="${key}"]`) : before) ?? home();
  if (place !== document.activeElement) place?.focus({ preventScroll: true });
}
