// Dragging with mouse, pen or finger: a press that moves lifts the card.

const FAR = 7;

/** @param {Element | null} target what lies under the card */
function over(target) {
  for (const one of document.querySelectorAll(".over:not(:root)")) one.classList.remove("over");
  target?.closest("[data-row], [data-tray]")?.classList.add("over");
}

/**
 * What a drop does.
 * @param {number} place the card
 * @param {Element | null} target
 * @param {import("../main.js").Send} send
 */
function drop(place, target, send) {
  const row = target?.closest("[data-row]");
  if (row instanceof HTMLElement) {
    const on = target?.closest("[data-card]");
    send({ type: "drop", place, row: row.dataset.row, other: on instanceof HTMLElement ? Number(on.dataset.card) : null });
  } else if (target?.closest("[data-tray], #own")) send({ type: "takeBack", place });
}

/**
 * @param {import("../main.js").Send} send
 * @param {() => boolean} may
 * @param {() => void} done called once a card isn't held any more
 * @param {readonly Event[]} early what was done until now
 */
export function dragging(send, may, done, early) {
  /** @type {{ place: number, element: HTMLElement, id: number, x: number, y: number, ghost: HTMLElement | null, dx: number, dy: number } | null} */
  let held = null;
  let dropped = false;

  const under = (/** @type {PointerEvent} */ event) => document.elementFromPoint(event.clientX, event.clientY);

  const end = () => {
    held?.ghost?.remove();
    held?.element.classList.remove("lifted");
    held = null;
    over(null);
    done();
  };

  const down = (/** @type {PointerEvent} */ event) => {
    const element = event.target instanceof Element ? event.target.closest("[data-card]") : null;
    dropped = false;
    if (!(element instanceof HTMLElement) || event.button !== 0 || held || !may()) return;
    const box = element.getBoundingClientRect();
    held = {
      place: Number(element.dataset.card), element, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null,
      dx: event.clientX - box.left, dy: event.clientY - box.top,
    };
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!held || event.pointerId !== held.id) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
      const box = held.element.getBoundingClientRect();
      const ghost = /** @type {HTMLElement} */ (held.element.cloneNode(true));
      ghost.classList.add("ghost");
      ghost.style.setProperty("--c", `${box.width}px`);
      ghost.style.width = `${box.width}px`;
      ghost.style.height = `${box.height}px`;
      ghost.setAttribute("aria-hidden", "true");
      ghost.removeAttribute("data-card");
      document.body.append(ghost);
      held.ghost = ghost;
      held.element.classList.add("lifted");
    }
    held.ghost.style.left = `${event.clientX - held.dx}px`;
    held.ghost.style.top = `${event.clientY - held.dy}px`;
    over(under(event));
    event.preventDefault();
  };
  const up = (/** @type {PointerEvent} */ event) => {
    if (!held || event.pointerId !== held.id) return;
    const { place, ghost } = held;
    const target = ghost ? under(event) : null;
    end();
    if (!ghost) return;
    dropped = true;
    drop(place, target, send);
  };
  const cancel = (/** @type {PointerEvent} */ event) => {
    if (held && event.pointerId === held.id) end();
  };
  /** @type {Record<string, (event: any) => void>} */
  const does = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: cancel };
  for (const event of early) does[event.type]?.(event);
  dropped = false; // the click that ended such a drag is over
  for (const [kind, act] of Object.entries(does)) addEventListener(kind, act, { passive: false });
  // A drag ends with a click as well, which is no tap.
  addEventListener("click", (event) => {
    if (!dropped) return;
    dropped = false;
    event.stopPropagation();
    event.preventDefault();
  }, { capture: true });
  return { get busy() { return Boolean(held?.ghost); } };
}
