// What hands reach for right after the first card, and nobody needs to see it: loaded as soon as that is there.

import { give } from "../acts/give.js";
import { nextOf } from "../acts/next.js";
import { addStyle } from "../later.js";
import { dragging } from "../table/drag.js";
import { press } from "../table/keys.js";
import { insideMenu } from "../table/menu.js";
import { POPS } from "../table/wheel.js";
import { hintOf } from "../table/hint.js";
import css from "./soon.css";

addStyle(css);
export { give, hintOf, insideMenu, nextOf };

/**
 * Listen to hands, beginning with what they have done until now.
 * @param {readonly Event[]} early
 * @param {() => import("../state/state.js").State} state as it's looked at
 * @param {import("../main.js").Send} send
 * @param {{ may: () => boolean, done: () => void }} cards
 */
export function listen(early, state, send, { may, done }) {
  addEventListener("pointerdown", ({ target }) => {
    const { menu } = state();
    if (!POPS && menu && target instanceof Node && !document.getElementById("settings")?.contains(target)) send({ type: "menu", open: false });
  });
  const key = (/** @type {KeyboardEvent} */ event) => press(event, state(), send);
  addEventListener("keydown", key);
  const drag = dragging(send, may, done, early);
  for (const event of early) if (event instanceof KeyboardEvent) key(event);
  return drag;
}
