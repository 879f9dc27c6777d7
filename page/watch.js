// Watching an event: its standings or its bracket, and its other tables as small boards.

import { seatBoard } from "./boards.js";
import { byId, make, sentence } from "./dom.js";

/** Streams show the boards alone. */
export const overlay = new URLSearchParams(location.search).has("overlay") || location.hash.startsWith("#stream.");

let drawnEvent = "";

/**
 * @param {import("./protocol").View} view
 * @param {import("./boards.js").Told} told
 * @param {(table: number) => void} look
 */
export function drawEvent(view, told, look) {
  const place = byId("event");
  const what = JSON.stringify([view.event, told.language]);
  place.hidden = !view.event;
  if (!view.event || what === drawnEvent) return;
  drawnEvent = what;
  const { title, standings, headings, boards } = view.event;
  const shown = boards.map((board) => {
    const name = make("button", { type: "button", class: "way", text: board.title });
    name.addEventListener("click", () => look(board.table));
    const seats = board.seats.map((seat) => seatBoard(seat, view.row_names, told));
    return make("article", { class: "small", "aria-label": board.title }, name, ...(seats.length
      ? [make("div", { class: "seats" }, ...seats)] : [make("p", {}, ...sentence(board.status, told.language, told.now))]));
  });
  place.setAttribute("aria-label", title);
  place.replaceChildren(
    make("h2", { text: title }),
    make("div", { class: "standings", role: "group", "aria-label": told.words.standings }, ...standings.map((line, number) => make("p", { class: headings.includes(number) ? "heading" : undefined }, ...sentence(line, told.language, told.now)))),
    ...(shown.length ? [make("h3", { text: told.words.other_tables }), ...shown] : []),
  );
}
