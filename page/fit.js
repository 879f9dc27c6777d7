// Sizes: cards are as large as the screen allows, one's own first.

const LEAST = 22;
const MOST = 118;
const ENOUGH = 58; // up to here one's own come first
const LARGE = 84; // one's own cards need not be larger for others to be smaller
const RATIOS = [1, 0.8, 0.65, 0.52, 0.42, 0.34];
const TRIES = 5;

/**
 * @param {HTMLElement} main
 * @param {number} held how many cards wait to be placed
 * @param {boolean} over true once the hand is over: then all boards are looked at alike
 */
export function fit(main, held, over) {
  const style = document.documentElement.style;

  /**
   * How many pixels are missing with cards of this width; below zero there is room.
   * @param {number} own
   * @param {number} ratio
   */
  const missing = (own, ratio) => {
    style.setProperty("--own", `${own}px`);
    style.setProperty("--oth", `${Math.max(18, own * ratio)}px`);
    // A whole hand stands in lines of seven.
    const beside = getComputedStyle(main).flexDirection !== "column";
    const line = beside ? Math.max(own * 5 + 60, 420) : main.clientWidth - 24;
    const seventh = (line - 8 + 5) / 7 - 5;
    style.setProperty("--hand", `${held > 6 ? Math.min(own, seventh) : own}px`);
    const inside = main.getBoundingClientRect();
    const around = parseFloat(getComputedStyle(main).paddingTop);
    const heights = [...main.children].map((part) => {
      const first = part.firstElementChild?.getBoundingClientRect();
      const last = part.lastElementChild?.getBoundingClientRect();
      return first && last ? last.bottom - first.top : 0;
    });
    const tall = beside ? Math.max(...heights) : heights.reduce((sum, one) => sum + one, 0) + (heights.every(Boolean) ? 6 : 0);
    const above = tall + 2 * around - inside.height;
    const wide = main.scrollWidth - main.clientWidth;
    return wide > 0 ? Math.max(above, 3 * wide) : above;
  };

  let best = { own: LEAST, ratio: RATIOS[RATIOS.length - 1], worth: 0 };
  for (const ratio of RATIOS) {
    const little = missing(LEAST, ratio);
    if (little > 0) continue;
    // Between cards that fit and cards that don't, the truth is guessed as if all grew evenly.
    let own = LEAST;
    let room = little;
    let tooLarge = Math.min(MOST, (main.clientWidth - 46) / 5);
    let excess = missing(tooLarge, ratio);
    if (excess <= 0) own = tooLarge;
    for (let tried = 0; own < tooLarge - 1 && tried < TRIES; tried++) {
      const guess = own + Math.max(1, (tooLarge - own) * Math.min(0.98, -room / (excess - room)));
      const found = missing(guess, ratio);
      if (found <= 0) [own, room] = [guess, found];
      else [tooLarge, excess] = [guess, found];
    }
    const worth = over ? own + own * ratio : Math.min(own, LARGE) + 0.6 * Math.min(own, ENOUGH) + 0.6 * own * ratio;
    if (worth > best.worth) best = { own, ratio, worth };
  }
  missing(Math.floor(best.own), best.ratio);
}
