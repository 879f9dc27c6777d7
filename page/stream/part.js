// The looks of a page for streams: it fills whatever the streaming software makes of it, a screen or one held upright.

import { addStyle } from "../later.js";
import css from "./stream.css";

const LEAST = 0.5;
const MOST = 1.5;

addStyle(css);
// The address may ask for smaller or larger boards.
const scale = Number(new URLSearchParams(location.search).get("scale") || 1);
if (scale > 0) document.documentElement.style.setProperty("--scale", String(Math.max(LEAST, Math.min(MOST, scale))));
