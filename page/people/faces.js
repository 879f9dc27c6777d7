// Faces: a player's initials in a colour, both from their name alone, so that they're the same on every page.

/** How many colours there are (people.css). */
export const COLOURS = 8;

const WRITTEN_WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * One letter, or two of a name in several words; a name without letters and digits keeps its first sign.
 * @param {string} name
 */
export function initialsOf(name) {
  const parts = name.normalize("NFKC").split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first = Array.from(name.replace(/[\p{Cf}\s]/gu, ""))[0] ?? "?"] = parts;
  const letter = (/** @type {string} */ word) => Array.from(word)[0];
  const letters = WRITTEN_WITHOUT_SPACES.test(letter(first)) || parts.length < 2 ? [letter(first)] : [letter(first), letter(parts[parts.length - 1])];
  return letters.map((one) => Array.from(one.toUpperCase())[0]).join("");
}

/** @param {string} name */
function digest(name) {
  let sum = 7;
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % COLOURS;
}

/**
 * The colour of a name, from 0. No two at a table have the same, whoever looks at it.
 * @param {string} name
 * @param {readonly string[]} names of all players at the table
 */
export function colourOf(name, names) {
  /** @type {Map<number, string>} */
  const taken = new Map();
  for (const one of [...new Set([...names, name])].sort()) {
    let colour = digest(one);
    while (taken.has(colour) && taken.size < COLOURS) colour = (colour + 1) % COLOURS;
    if (one === name) return colour;
    taken.set(colour, one);
  }
  return 0;
}
