// Sizes: cards are as large as the screen allows, one's own first.

const LEAST = 22;
const MOST = 118;
const RATIOS = [1, 0.85, 0.7, 0.6, 0.5, 0.42, 0.35];

/**
 * @param {HTMLElement} main
 * @param {number} held how many cards wait to be placed
 */
export function fit(main, held) {
  const style = document.documentElement.style;
  const inside = (/** @type {number} */ own, /** @type {number} */ ratio) => {
    style.setProperty("--own", `${own}px`);
    style.setProperty("--oth", `${Math.max(18, own * ratio)}px`);
    // A whole hand stands in lines of seven.
    style.setProperty("--hand", `${held > 6 ? Math.min(own, (Math.min(own * 5 + 16, main.clientWidth - 24)) / 7 - 5) : own}px`);
    return main.scrollHeight <= main.clientHeight + 1 && main.scrollWidth <= main.clientWidth + 1;
  };
  let best = { own: LEAST, ratio: RATIOS[RATIOS.length - 1], worth: 0 };
  for (const ratio of RATIOS) {
    let low = LEAST;
    let high = MOST;
    if (!inside(low, ratio)) continue;
    while (high - low > 1) {
      const middle = (low + high) / 2;
      if (inside(middle, ratio)) low = middle;
      else high = middle;
    }
    const worth = low * (1 + 0.7 * ratio);
    if (worth > best.worth) best = { own: low, ratio, worth };
  }
  inside(Math.floor(best.own), best.ratio);
}
