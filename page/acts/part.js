// What one does about a seat, and what comes after it: loaded once it's needed, or while there is nothing else to do.

import { addStyle } from "../later.js";
import css from "./acts.css";

addStyle(css);

export { eventOf } from "../watch/watch.js";
export { give } from "./give.js";
export { nextOf } from "./next.js";
