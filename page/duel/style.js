// The style of the end of a hand comes with it.

import { addStyle } from "../later.js";
import css from "./duel.css";

addStyle(css);
