// Records as they're read: JSON in which no object has a key twice. Of two, one program counts the first and another the last.

/**
 * The value of a text; throws for anything that isn't such JSON.
 * @param {string} text
 */
export function readJson(text) {
  const value = JSON.parse(text.replace(/^\ufeff/, ""));
  /** @type {(Set<string> | null)[]} The keys of each open object, the innermost last; null for a list. */
  const open = [];
  let keyNext = false;
  // The text is valid by now, so its strings, brackets and commas tell all there is to know of its keys.
  for (const [sign] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g)) {
    if (sign === "{" || sign === "[") open.push(sign === "{" ? new Set() : null);
    else if (sign === "}" || sign === "]") open.pop();
    else if (sign !== "," && keyNext) {
      const key = JSON.parse(sign);
      if (open.at(-1)?.has(key)) throw new SyntaxError("a key that is there twice");
      open.at(-1)?.add(key);
    }
    keyNext = sign === "{" || (sign === "," && open.at(-1) !== null);
  }
  return value;
}
