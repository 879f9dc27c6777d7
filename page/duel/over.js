// The end of a hand and all motion: loaded together, while there is nothing else to do.

export { Motion } from "../motion/motion.js";
export { lastOf, stayButtons } from "./last.js";
export { scoresOf } from "./marks.js";
export { moment } from "./moment.js";
export { resultOf } from "../table/result.js";
