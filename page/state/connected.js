// The connection: a page that is opened anew knows nothing yet, and one that has lost it says so.

import { tell, todo } from "./deeds.js";
import { START } from "./state.js";
import { read } from "./requests.js";
import { recordSheet } from "./sheets.js";

/** @typedef {import("./state.js").State} State */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

export const connectionActs = {
  /**
   * The page opens. ``requests`` were not answered elsewhere; ``shared`` is true for the link to a hand, and only the bot
   * knows which one that is. A page that was saved checks records, and has nobody to ask.
   * @type {Act<{ language: string, table: number, requests: readonly import("./state.js").Request[], shared: boolean, saved: boolean }>}
   */
  open(state, { language, table, requests, shared, saved }) {
    const { words, cards, hands, ahead, now, home, overlay, all, wishes, people, chance, todo, analysis } = state;
    const asked = requests.map((message) => ({ message, start: 0 }));
    const known = saved ? language : state.language;
    const opened = { ...START, words, cards, hands, language: known, ahead, now, home, overlay, all, wishes, people, chance, todo, analysis, table, shared, requests: asked };
    if (saved) return { ...opened, sheet: recordSheet() };
    return shared ? read(opened, "past", 0, 0) : opened;
  },

  /** @type {Act<{ on: boolean }>} */
  connected(state, { on }) {
    if (!on) return state.view ? tell(state, state.words.offline, "lost") : state;
    return state.toast.how && state.toast.shown ? tell(state, state.words.online) : state;
  },

  /**
   * Somebody is here, or the network is back: a page that sleeps opens again, a connection that may be lost is tried.
   * @type {Act<{}>}
   */
  wake: (state) => todo(state, { do: state.asleep ? "reopen" : "wake" }),
};
