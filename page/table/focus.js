// The keyboard's place: it stays where it was, and goes somewhere sensible once that is gone.

/** @param {Element} one */
const isSeen = (one) => (one.checkVisibility ? one.checkVisibility() : one.getClientRects().length > 0);

/** @param {Element | null} one */
const usable = (one) => (one instanceof HTMLElement && one.isConnected && !one.matches(":disabled") && isSeen(one) ? one : null);

/** Where the keyboard goes on if its place is gone: the card that is placed next, else the board. */
export function home() {
  return ["#tray .chosen", "[data-key=flip-0]", "#own .board", "#main"].map((place) => usable(document.querySelector(place))).find((one) => one !== null) ?? null;
}

/** True while a key such as Enter has something of its own to do where the focus is. */
export function onControl() {
  return Boolean(document.activeElement?.matches("button, select, input, textarea, summary, a"));
}

/**
 * Draw, and leave the keyboard where it was. Behind the last card that a key has placed it's Confirm, once it can be pressed.
 * @param {() => void} draws
 * @param {boolean} toConfirm
 */
export function keepFocus(draws, toConfirm) {
  const before = document.activeElement;
  const key = before instanceof HTMLElement ? before.dataset.key : undefined;
  draws();
  if (!before || before === document.body || document.querySelector("dialog[open]")) return;
  const confirm = toConfirm && key === "board" ? usable(document.querySelector("#bar [data-key=confirm]")) : null;
  const place = confirm ?? usable(key ? document.querySelector(`[data-key="${key}"]`) : before) ?? home();
  if (place !== document.activeElement) place?.focus({ preventScroll: true });
}
