// Positions that are assembled and analysed, on a sheet of their own.

import "../sheets/style.js";
import { addStyle } from "../later.js";
import { bringActs } from "../state/state.js";
import { analysisActs } from "./assembling.js";
import css from "./analysis.css";

export { body, opened, title } from "./sheet.js";

addStyle(css);
bringActs(analysisActs);
