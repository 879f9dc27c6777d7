// How the page comes in. Where Discord frames it, activity.js says who it is and what leads out of the frame.

/**
 * @typedef {object} Door
 * @property {(() => Promise<import("./link.js").Key>) | null} enter asks who it is; null where the address has brought it
 * @property {string} home where browsers reach the page: what is shared leads there
 * @property {(address: string) => void} away opens another page
 */

/** @type {Door} */
export const door = {
  enter: null,
  home: `${location.origin}${location.pathname}`,
  away: (address) => window.open(address, "_blank", "noopener"),
};
