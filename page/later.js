// Parts that are no part of what the first card needs: they come while there is nothing else to do.

/** @type {typeof import("./duel/over.js") | null} */
let over = null;
let asked = false;

/** The end of a hand, once it has come. Until then a result is told in sentences. */
export const overPart = () => over;

/**
 * Load it, and draw with it.
 * @param {() => void} draw
 */
export async function loadOver(draw) {
  if (asked) return;
  asked = true;
  try {
    over = await import("./duel/over.js");
    draw();
  } catch {
    asked = false; // tried again with the next result
  }
}

/** @typedef {typeof import("./acts/part.js")} Acts */

/** @type {Acts | null} */
let acts = null;
/** @type {Promise<Acts | null> | null} */
let coming = null;

/** What one does about one's seat, and what comes after it, once it has come. */
export const actsPart = () => acts;

/**
 * @param {() => void} draw
 */
export function loadActs(draw) {
  coming ??= import("./acts/part.js").then((part) => {
    acts = part;
    draw();
    return part;
  }, () => (coming = null));
  return coming;
}

/**
 * The style of a part comes with it.
 * @param {string} css
 */
export function addStyle(css) {
  const style = document.createElement("style");
  style.nonce = document.querySelector("script")?.nonce ?? "";
  style.textContent = css;
  document.head.append(style);
}
