// Parts that are no part of what the first card needs: they come once it's there.

const AGAIN_MS = 3_000;

/** @type {typeof import("./soon/part.js") | null} */
let soon = null;
/** @type {typeof import("./duel/over.js") | null} */
let over = null;
/** @type {typeof import("./people/part.js") | null} */
let people = null;
/** @type {typeof import("./history/part.js") | null} */
let history = null;
/** @type {typeof import("./watch/part.js") | null} */
let audience = null;
/** @type {typeof import("./puzzle/part.js") | null} */
let puzzle = null;
/** @type {typeof import("./sounds/part.js") | null} */
let sounds = null;
/** @type {Set<string>} Parts that are being loaded, or have come. */
const asked = new Set();

/** What hands reach for first: dragging, keys, the menu, hints. */
export const soonPart = () => soon;

/** The end of a hand, once it has come. */
export const overPart = () => over;

/** Faces, clocks and phrases, once they have come. */
export const peoplePart = () => people;

/** The streets of the running hand, on a large screen. */
export const historyPart = () => history;

/** What those see who watch, and how many they are. */
export const audiencePart = () => audience;

/** The solution of a puzzle. */
export const puzzlePart = () => puzzle;

/** What can be heard, for who has turned it on. */
export const soundsPart = () => sounds;

/**
 * Load a part, once. One that didn't come is tried again with the next drawing that needs it.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} load
 * @param {(part: T) => void} came
 */
async function once(name, load, came) {
  if (asked.has(name)) return;
  asked.add(name);
  try {
    came(await load());
  } catch {
    if (name === "soon") {
      await new Promise((later) => { setTimeout(later, AGAIN_MS); });
      await renew();
    }
    asked.delete(name);
  }
}

/**
 * Load what is needed right after the first card.
 * @param {(part: typeof import("./soon/part.js")) => void} came
 */
export const loadSoon = (came) => once("soon", () => import("./soon/part.js"), (part) => came(soon = part));

/** Where a part doesn't come: a bot that was replaced meanwhile has other parts, and the page that goes with them. */
export async function renew() {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.ok) location.reload();
}

/**
 * Load the streets of the running hand.
 * @param {(part: typeof import("./history/part.js")) => void} came
 */
export const loadHistory = (came) => once("history", () => import("./history/part.js"), (part) => came(history = part));

/**
 * Load the end of a hand, and draw with it.
 * @param {() => void} draw
 */
export const loadOver = (draw) => once("over", () => import("./duel/over.js"), (part) => {
  over = part;
  draw();
});

/**
 * Load who sits at the table.
 * @param {(part: typeof import("./people/part.js")) => void} came
 */
export const loadPeople = (came) => once("people", () => import("./people/part.js"), (part) => came(people = part));

/**
 * Load what belongs to watching, and draw with it.
 * @param {() => void} draw
 */
export const loadAudience = (draw) => once("audience", () => import("./watch/part.js"), (part) => {
  audience = part;
  draw();
});

/**
 * Load what belongs to puzzles, and draw with it.
 * @param {() => void} draw
 */
export const loadPuzzle = (draw) => once("puzzle", () => import("./puzzle/part.js"), (part) => {
  puzzle = part;
  draw();
});

/** Load the sounds. */
export const loadSounds = () => once("sounds", () => import("./sounds/part.js"), (part) => { sounds = part; });

/** Load the looks of a page for streams. */
export const loadStream = () => once("stream", () => import("./stream/part.js"), () => {});

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
