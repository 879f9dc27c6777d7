// What is pressed before the part that listens to it has come is kept, and done then.

const KINDS = ["keydown", "pointerdown", "pointermove", "pointerup", "pointercancel"];

/** @type {Event[]} */
const early = [];
/** @param {Event} event */
function keep(event) {
  if (!(event instanceof PointerEvent && event.type === "pointermove" && !event.buttons)) early.push(event);
}
for (const kind of KINDS) addEventListener(kind, keep);

/** What was pressed until now. */
export function takeEarly() {
  for (const kind of KINDS) removeEventListener(kind, keep);
  return early;
}
