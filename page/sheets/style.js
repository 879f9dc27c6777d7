// The style of sheets comes with them.

import { addStyle } from "../later.js";
import css from "./sheets.css";

addStyle(css);
