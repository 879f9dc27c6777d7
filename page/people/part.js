// The people at the table: faces with their clocks, badges, phrases, and the clock in the head. The table stands without
// them, so they're loaded once it's drawn.

import { addStyle } from "../later.js";
import { bringActs } from "../state/state.js";
import css from "./people.css";
import { phraseActs } from "./said.js";

export { badgesOf } from "./badges.js";
export { clockOf } from "./clock.js";
export { whoOf } from "./who.js";
export { listen, talkOf } from "./talk.js";

addStyle(css);
bringActs(phraseActs);
