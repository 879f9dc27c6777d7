// What somebody has chosen on this page; a browser that keeps nothing keeps it for as long as the page is open.

const KEY = "chaipo-table";
/** @type {Record<string, boolean>} */
let chosen = {};
try {
  chosen = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
} catch {
  // a sandbox has no storage
}

/**
 * @param {string} name
 * @param {boolean} usual
 */
export function wish(name, usual) {
  return chosen[name] ?? usual;
}

/**
 * @param {string} name
 * @param {boolean} value
 */
export function choose(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // the same
  }
}
