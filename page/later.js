// Parts that are no part of what the first card needs: they come while there is nothing else to do.

const AGAIN_MS = 5_000;

/**
 * A part that's loaded later, and whether it has come.
 * @template P
 * @param {() => Promise<P>} bring
 */
export function later(bring) {
  /** @type {P | null} */
  let part = null;
  let asked = false;
  return {
    part: () => part,
    /** @param {(part: P) => void} begin what's done once it's there */
    async load(begin) {
      if (asked) return;
      asked = true;
      try {
        part = await bring();
        begin(part);
      } catch {
        // A bot that was replaced meanwhile has other parts. The table is played without them as well.
        setTimeout(() => (asked = false), AGAIN_MS);
      }
    },
  };
}

/** The end of a hand. Until it has come a result is told in sentences. */
export const { part: overPart, load: loadOver } = later(() => import("./duel/over.js"));
/** Faces, clocks and phrases. */
export const { part: peoplePart, load: loadPeople } = later(() => import("./people/part.js"));

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
