// Dragging with mouse, pen or finger: a press that moves lifts the card. main.js says what a drop does.

const FAR = 7;

/**
 * @param {HTMLElement} area
 * @param {{ may: () => boolean, drop: (place: number, target: Element | null) => void, over: (target: Element | null) => void, done: () => void }} game
 */
export function dragging(area, game) {
  /** @type {{ place: number, element: HTMLElement, id: number, x: number, y: number, ghost: HTMLElement | null, dx: number, dy: number } | null} */
  let held = null;
  let dropped = false;

  const under = (/** @type {PointerEvent} */ event) => document.elementFromPoint(event.clientX, event.clientY);

  const end = () => {
    held?.ghost?.remove();
    held?.element.classList.remove("lifted");
    held = null;
    game.over(null);
    game.done();
  };

  area.addEventListener("pointerdown", (event) => {
    const element = event.target instanceof Element ? event.target.closest("[data-card]") : null;
    dropped = false;
    if (!(element instanceof HTMLElement) || event.button !== 0 || held || !game.may()) return;
    const box = element.getBoundingClientRect();
    held = {
      place: Number(element.dataset.card), element, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null,
      dx: event.clientX - box.left, dy: event.clientY - box.top,
    };
  });
  addEventListener("pointermove", (event) => {
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
    game.over(under(event));
    event.preventDefault();
  }, { passive: false });
  addEventListener("pointerup", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { place, ghost } = held;
    const target = ghost ? under(event) : null;
    end();
    if (!ghost) return;
    dropped = true;
    game.drop(place, target);
  });
  addEventListener("pointercancel", (event) => {
    if (held && event.pointerId === held.id) end();
  });
  // A drag ends with a click as well, which is no tap.
  area.addEventListener("click", (event) => {
    if (!dropped) return;
    dropped = false;
    event.stopPropagation();
    event.preventDefault();
  }, { capture: true });
  return { get busy() { return Boolean(held?.ghost); } };
}
