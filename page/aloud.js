// What is read aloud: lists and sentences are joined as the reader's language does it.

/** @typedef {Record<string, string>} Words */

/**
 * @param {Words} words
 * @param {readonly string[]} things
 */
export function listed(words, things) {
  return things.join(words.joint);
}

/**
 * What something is called, and what there is of it.
 * @param {Words} words
 * @param {string} name
 * @param {string} text
 */
export function named(words, name, text) {
  return words.named.replace("{name}", () => name).replace("{text}", () => text);
}

/**
 * Sentences and parts of some, with a pause between them; none is empty, and no stop stands twice.
 * @param {Words} words
 * @param {readonly string[]} parts
 */
export function paused(words, parts) {
  return parts.map((part) => part.trim().replace(/[.。]$/, "")).filter(Boolean).join(words.pause);
}
