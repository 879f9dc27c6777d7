// The style of sheets comes with them.

import css from "./sheets.css";

const style = document.createElement("style");
style.nonce = document.querySelector("script")?.nonce ?? "";
style.textContent = css;
document.head.append(style);
