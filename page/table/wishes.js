// What somebody has chosen on this page, or would choose.

export const night = matchMedia("(prefers-color-scheme: dark)");

/**
 * @param {import("../state/state.js").State} state
 * @param {string} name
 */
export function wish({ wishes, view }, name) {
  return wishes[name] ?? (name === "colours" ? view?.colours !== "two" : name === "dark" ? night.matches : false);
}
