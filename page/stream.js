// The address for streaming software: it is copied, exchanged or turned off here.

import { make } from "./dom.js";
import { openSheet } from "./sheet.js";

/**
 * @param {string} address
 * @param {string} said
 * @param {Record<string, string>} words
 * @param {{ open: () => void, copied: () => void, want: (verb: "stream_renew" | "stream_end") => void }} ways
 */
export function showStream(address, said, words, ways) {
  const way = (/** @type {string} */ key, /** @type {string} */ label, /** @type {() => void} */ act) => {
    const one = make("button", { type: "button", "data-key": key, text: label });
    one.addEventListener("click", act);
    return one;
  };
  const field = make("input", { type: "text", readonly: "", id: "stream-address", value: address, "aria-label": words.stream_address });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(address);
      ways.copied();
    } catch {
      // It is selected: the keyboard copies it.
    }
  };
  openSheet(words.stream, words.close,
    make("p", { text: words.stream_how }), make("p", { text: words.stream_lasts }), said ? make("p", { class: "said", role: "status", text: said }) : null, field,
    make("div", { class: "ways" }, way("copy", words.copy, copy), way("open-stream", words.stream_open, ways.open),
      way("stream-renew", words.stream_renew, () => ways.want("stream_renew")), way("stream-end", words.stream_end, () => ways.want("stream_end"))));
  field.focus();
  field.select();
}
