// The solution of a puzzle, loaded once a puzzle is shown.

import { addStyle } from "../later.js";
import { bringActs } from "../state/state.js";
import { flipActs } from "./flip.js";
import css from "./puzzle.css";

export { solutionOf } from "./solution.js";

addStyle(css);
bringActs(flipActs);
