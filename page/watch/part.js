// What those see who watch, loaded with the first table that is watched or has watchers.

import { addStyle } from "../later.js";
import css from "./watch.css";

export { allButton, eventOf, othersOf } from "./watch.js";
export { viewersOf } from "./viewers.js";

addStyle(css);
