// The picture of the tab, which has a sign on it while somebody is waited for.

/**
 * The picture.
 * @param {boolean} turn
 */
export function icon(turn) {
  const dot = turn ? "<circle cx='25' cy='7' r='7' fill='%23ff5a4d'/>" : "";
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='5' y='2' width='22' height='28' rx='4' fill='%2317553b'/><path d='M16 7C14 12 8 15 8 20a4.5 4.5 0 0 0 7 3l-1 3h4l-1-3a4.5 4.5 0 0 0 7-3c0-5-6-8-8-13z' fill='%23fff'/>${dot}</svg>`;
}
