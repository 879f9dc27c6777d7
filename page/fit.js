// Sizes: cards are as large as the screen allows, one's own first.

const LEAST = 20;
const SMALLEST = 18; // of others, who get still smaller beside each other on a phone that lies
const SMALLEST_LYING = 15;
const MOST = 118;
const ENOUGH = 58; // up to here one's own come first
const READ = 23; // up to here others' cards are hard to read
const LARGE = 84; // one's own cards need not be larger for others to be smaller
const RATIOS = [1, 0.8, 0.65, 0.52, 0.42, 0.34, 0.27];
const TRIES = 5;
const MOST_LAYOUTS = 12; // after so many the best so far is good enough

/**
 * Each try is a layout of the whole table, which is what takes time. The ratio that is likely to be the best is tried
 * first; another is tried with the least cards that would make it better, and mostly given up there.
 * @param {HTMLElement} main
 * @param {number} held how many cards wait to be placed
 * @param {boolean} over true once the hand is over: then all boards are looked at alike
 */
export function fit(main, held, over) {
  const { display, paddingTop } = getComputedStyle(main);
  const beside = display === "grid";
  const tray = main.querySelector("#tray");
  const lying = tray?.parentElement && getComputedStyle(tray.parentElement).display === "grid" ? tray : null;
  const smallest = lying ? SMALLEST_LYING : SMALLEST;
  const inside = main.offsetHeight - 2 * parseFloat(paddingTop);
  const across = main.offsetWidth;
  const widest = Math.floor(Math.min(MOST, (across - 46) / 5));

  /**
   * @param {number} own
   * @param {number} ratio
   */
  const put = (own, ratio) => {
    main.style.setProperty("--own", `${own}px`);
    main.style.setProperty("--oth", `${Math.max(smallest, own * ratio)}px`);
    // A whole hand stands in lines of seven.
    if (held <= 6) main.style.setProperty("--hand", `${own}px`);
    else {
      const line = lying ? lying.clientWidth : beside ? Math.max(own * 5 + 60, 420) : across - 24;
      main.style.setProperty("--hand", `${Math.min(own, (line - 8 + 5) / 7 - 5)}px`);
    }
  };

  /**
   * How many pixels are missing with cards of this width; below zero there is room.
   * @param {number} own
   * @param {number} ratio
   */
  const missing = (own, ratio) => {
    layouts++;
    put(own, ratio);
    const parts = [...main.children].flatMap((section) => {
      // Below each other sections take what is left over; beside each other they are as tall as what they hold.
      const inner = (beside ? [section] : [...section.children]).map((one) => one.getBoundingClientRect()).filter(({ height }) => height);
      return inner.length ? [{ top: Math.min(...inner.map(({ top }) => top)), bottom: Math.max(...inner.map(({ bottom }) => bottom)) }] : [];
    });
    const tall = beside
      ? Math.max(...parts.map(({ bottom }) => bottom)) - Math.min(...parts.map(({ top }) => top))
      : parts.reduce((sum, { top, bottom }) => sum + bottom - top + 6, -6);
    const wide = main.scrollWidth - main.clientWidth;
    return wide > 0 ? Math.max(tall - inside, 3 * wide) : tall - inside;
  };

  /**
   * @param {number} own
   * @param {number} ratio
   */
  const worth = (own, ratio) => {
    const other = Math.max(smallest, own * ratio);
    return 0.5 * Math.min(own, LARGE) + 0.6 * other + (over ? 0 : 1.1 * Math.min(own, ENOUGH) + Math.min(other, READ));
  };

  let layouts = 0;
  let best = { own: LEAST, ratio: RATIOS[RATIOS.length - 1], worth: 0 };
  const likely = beside && !lying ? 0.8 : 0.42;
  for (const ratio of [...RATIOS].sort((one, other) => Math.abs(one - likely) - Math.abs(other - likely))) {
    if (layouts >= MOST_LAYOUTS) break;
    let own = LEAST;
    while (own <= widest && worth(own, ratio) <= best.worth) own++;
    if (own > widest) continue;
    let room = missing(own, ratio);
    if (room > 0) continue;
    // Between cards that fit and cards that don't, the truth is guessed as if all grew evenly.
    let tooLarge = widest;
    let excess = own < widest ? missing(widest, ratio) : 0;
    if (excess <= 0) own = tooLarge;
    for (let tried = 0; own < tooLarge - 1 && -room >= 4 * ratio && tried < TRIES; tried++) {
      const guess = Math.min(tooLarge - 1, own + Math.max(1, Math.floor((tooLarge - own) * (-room / (excess - room)))));
      const found = missing(guess, ratio);
      if (found <= 0) [own, room] = [guess, found];
      else [tooLarge, excess] = [guess, found];
    }
    best = { own, ratio, worth: worth(own, ratio) };
  }
  put(best.own, best.ratio);
}
