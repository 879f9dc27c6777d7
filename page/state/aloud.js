// What is read aloud, and moments in words: lists and sentences are joined as the reader's language does it.

/**
 * What words are taken from; the state is one.
 * @typedef {{ readonly words: Record<string, string>, readonly cards: Record<string, string>, readonly language: string, readonly now: number }} Told
 */

/**
 * @param {Told} told
 * @param {readonly string[]} things
 */
export function listed({ words }, things) {
  return things.join(words.joint);
}

/**
 * What something is called, and what there is of it.
 * @param {Told} told
 * @param {string} name
 * @param {string} text
 */
export function named({ words }, name, text) {
  return words.named.replace("{name}", () => name).replace("{text}", () => text);
}

/**
 * Sentences and parts of some, with a pause between them; none is empty, and no stop stands twice.
 * @param {Told} told
 * @param {readonly string[]} parts
 */
export function paused({ words }, parts) {
  return parts.map((part) => part.trim().replace(/[.。]$/, "")).filter(Boolean).join(words.pause);
}

/** How late something may be and still be called due. */
const LATE_MS = 60_000;
/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[]} */
const UNITS = [["second", 1, 60], ["minute", 60, 3600], ["hour", 3600, 86400], ["day", 86400, Infinity]];

/**
 * @param {number} ms
 * @param {string} language
 */
export function relative(ms, language) {
  // What was to come by now comes in a moment.
  const seconds = ms < 0 && ms > -LATE_MS ? 0 : ms / 1000;
  const [unit, size] = UNITS.find(([, , limit]) => Math.abs(seconds) < limit) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / size), unit).replace(/(\d) (?=[\u3040-\u9fff])/u, "$1");
}

/**
 * A moment as a sentence has it, such as "<t:12:R>": a date, or how far away it is.
 * @param {string} part
 * @param {Told} told
 */
export function moment(part, { language, now }) {
  const [, at, style] = /(\d+):?(\w?)/.exec(part) ?? [];
  return style === "D" ? new Date(Number(at) * 1000).toLocaleDateString(language, { dateStyle: "long" }) : relative(Number(at) * 1000 - now, language);
}

/**
 * The same sentence for who hears it.
 * @param {string} said
 * @param {Told} told
 */
export function heard(said, told) {
  return said.replace(/[\x02\x03]/g, "").replace(/<t:\d+(?::\w)?>/g, (part) => moment(part, told));
}
