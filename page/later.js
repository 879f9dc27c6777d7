// Parts that are no part of what the first card needs: each comes once something of its own is to be shown or heard.

/**
 * A part that isn't there at first: what has come of it, and how it's asked for.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {[() => T | null, (then: () => void) => Promise<void>]} ``then`` is called once it has come
 */
function laterPart(load) {
  /** @type {T | null} */
  let part = null;
  let asked = false;
  return [() => part, async (then) => {
    if (asked) return;
    asked = true;
    try {
      part = await load();
      then();
    } catch {
      asked = false; // tried again with the next drawing
    }
  }];
}

/** The end of a hand. Until it has come a result is told in sentences. */
export const [overPart, loadOver] = laterPart(() => import("./duel/over.js"));

/** What those see who watch, and how many they are. */
export const [audiencePart, loadAudience] = laterPart(() => import("./watch/part.js"));

/** The looks of a page for streams. */
export const [, loadStream] = laterPart(() => import("./stream/part.js"));

/** What can be heard, for who has turned it on. */
export const [soundsPart, loadSounds] = laterPart(() => import("./sounds/part.js"));

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
