// Sheets that are read, loaded together.

import "./style.js";

export * as past from "../replay/replay.js";
export * as puzzles from "../puzzle/choices.js";
export * as result from "./result.js";
export * as rules from "./rules.js";
export * as share from "./share.js";
export * as terms from "./terms.js";
export * as stream from "./stream.js";
