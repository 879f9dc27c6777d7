// The part of the page that judges one's rows. The table stands without it, so it's loaded once a board is drawn.

import { addStyle } from "../later.js";
import css from "./rows.css";

export { judgedRows } from "./judged.js";
export { paysDescribed, paysOf, placePays, watchRows } from "./pays.js";
export { seenButton, seenOf } from "./seen.js";

addStyle(css);
