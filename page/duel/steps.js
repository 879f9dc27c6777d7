// Steps of the sequence as the style has them, and words for what they bring.

/** @typedef {import("../state/aloud.js").Told} Told */
/** @typedef {import("./sequence.js").Sequence} Sequence */

export const ROW_STEPS = /** @type {const} */ (["front", "middle", "back"]);

/**
 * A number with its sign.
 * @param {number} points
 * @param {Told} told
 */
export function signed(points, { words, language }) {
  if (!points) return words.zero;
  return `${points > 0 ? "+" : "−"}${new Intl.NumberFormat(language).format(Math.abs(points))}`;
}

/** @param {number} points */
export const way = (points) => (points > 0 ? "up" : points < 0 ? "down" : "even");

/**
 * When a step begins (duel.css).
 * @param {Sequence} sequence
 * @param {import("./sequence.js").Step} step
 */
export const at = ({ steps }, step) => `--step:${Math.max(0, steps.indexOf(step))}`;

/**
 * A bonus in words, such as "scoop +3".
 * @param {import("./sequence.js").Bonus} bonus
 * @param {Told} told
 */
export function bonusText({ kind, points }, told) {
  const { words } = told;
  const text = signed(points, told);
  const texts = { scoop: words.scoop, majority: words.majority, two_rows: words.two_rows, total: words.total, instead: "{points}" };
  return texts[kind].replace("{points}", () => text);
}
