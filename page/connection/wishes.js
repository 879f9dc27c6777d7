// What somebody has chosen on this page; a browser that keeps nothing keeps it for as long as the page is open.

const KEY = "chaipo-table";

/** @returns {Record<string, boolean>} */
export function keptWishes() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {}; // a sandbox has no storage
  }
}

/** @param {Record<string, boolean>} wishes */
export function keepWishes(wishes) {
  try {
    localStorage.setItem(KEY, JSON.stringify(wishes));
  } catch {
    // the same
  }
}
