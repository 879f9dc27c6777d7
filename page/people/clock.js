// The clock in the head, with a number: one's own, or else the one that runs out first.

import { html } from "lit-html";

const AROUND = 2 * Math.PI * 15;
export const SOON_MS = 10_000;

/**
 * What fits into a ring: seconds, or a number with its unit, which stands below it where it is longer than a letter.
 * @param {number} ms
 * @param {Record<string, string>} words
 */
export function shortTime(ms, words) {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds}`;
  const [unit, size] = seconds < 6000 ? [words.minutes, 60] : [words.hours, 3600];
  return unit.replace("{number}", () => `${Math.round(seconds / size)}`).replace(/(\d)(?=\D{2})/, "$1\n");
}

/**
 * The clock as a ring: what is left of a turn, as far as it was seen to begin.
 * @param {import("../state/state.js").State} state
 */
export function clockOf({ clocks, view, words, now }) {
  const until = view?.until ?? null;
  const ms = Math.max(0, (until ?? 0) - now);
  const looks = [view?.yours && "mine", ms < SOON_MS && "soon", ms < (view?.bank ?? 0) && "bank"].filter(Boolean).join(" ");
  const gone = AROUND * (1 - Math.min(1, ms / (clocks[until ?? 0] ?? 1)));
  return html`<div id="clock" role="timer" class=${looks} aria-label=${words.clock} ?hidden=${until === null}><svg viewBox="0 0 36 36" aria-hidden="true"><circle cx="18" cy="18" r="15"></circle><circle cx="18" cy="18" r="15" class="left" stroke-dasharray=${AROUND} stroke-dashoffset=${gone}></circle></svg><span><b>${shortTime(ms, words)}</b></span></div>`;
}
