"""Additions to SimCord's page in the browser: a script, and changes to the files that SimCord serves."""

from __future__ import annotations

from typing import Final

DOOR: Final = """\
{
history.replaceState(null, "", "#%(secret)s");
const told = %(told)s;
document.documentElement.lang = told.lang;
globalThis.faces = Object.fromEntries(Object.entries(%(faces)s).map(([name, png]) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  return [name, URL.createObjectURL(new Blob([bytes], { type: "image/png" }))];
}));
const around = "#toolbar, #messages-sidebar, #channel-composer, #modal-root footer, .modal-disclaimer, .message-edited,"
  + " .message-edited-compact, .message-ephemeral-note, .message-loading,"
  + " .select-apply, .select-cancel, .history-button, .select-value-label, .select-guidance, .select-candidate-tools,"
  + " .field-error, .upload-prompt, .upload-limit, .channel-empty, .message-app-badge, .message-system-icon,"
  + " .message-interaction-header,"
  + " .message-system-text, .message-system-link, .poll-instruction, .poll-answer-count, .poll-status, .poll-actions";
const pattern = (said) => RegExp(`^${said.replace(/[.()]/g, "\\\\$&").replace("{n}", "(.+)")}$`);
const filled = Object.entries(told.words).filter(([said]) => said.includes("{n}"))
  .map(([said, meant]) => [pattern(said), meant.replace("{n}", "$1")]);
function inOurWords(said) {
  if (told.lang === "en") return said;
  if (Object.hasOwn(told.words, said)) return told.words[said];
  const [known, meant] = filled.find(([one]) => one.test(said)) || [];
  return known ? said.replace(known, meant) : said;
}
function translate(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = root.nodeType === 3 ? root : walker.nextNode(); text; text = walker.nextNode()) {
    const said = text.data.trim();
    if (!text.parentElement?.closest(around)) continue;
    const meant = inOurWords(said);
    if (meant !== said) text.data = text.data.replace(said, () => meant);
  }
}
function invite(element) {
  for (const name of ["placeholder", "aria-label", "aria-valuetext", "title"]) {
    const said = element.getAttribute?.(name);
    if (!said) continue;
    const meant = inOurWords(said.replace(/^Message (?=#)/, `${told.words.Message} `));
    if (meant !== said) element.setAttribute(name, meant);
  }
}
function inviteAll(root) {
  const named = "[placeholder], [aria-label], [aria-valuetext], [title]";
  for (const one of root.querySelectorAll?.(named) || []) invite(one);
  invite(root);
}
globalThis.ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
// A viewer's language, as written where the reader lives: British English for one with American messages.
globalThis.ownLocale = (locale) => {
  const [language] = locale.split("-");
  return navigator.languages.find((own) => own.split("-")[0] === language) || locale;
};
const sure = globalThis.confirm.bind(globalThis);
globalThis.confirm = (asked) => sure(inOurWords(asked));
let working = "";
let soon = 0;
function think(status) {
  const said = status.textContent;
  const switching = document.body.classList.contains("switching") ? told.words["Switching viewer…"] : "";
  const busy = ["Completing action…", told.words["Completing action…"]].includes(said) ? told.thinking : "";
  const late = said && said === told.evening.late ? globalThis.overloaded() : "";
  const line = switching || late || busy;
  if (line === working) return;
  working = line;
  clearTimeout(soon);
  thought.hidden = true;
  const show = () => { thought.textContent = line; thought.hidden = false; };
  if (line) soon = setTimeout(show, line === busy ? 700 : 0);
}
globalThis.overloaded = () => clock.times > 1 ? told.evening.late_fast : told.evening.late_busy;
globalThis.late = () => told.evening.late;
const thought = document.createElement("div");
thought.id = "thinking";
thought.className = "message-loading";
thought.setAttribute("role", "status");
thought.hidden = true;
document.addEventListener("DOMContentLoaded", () => {
  translate(document.body);
  inviteAll(document.body);
  document.getElementById("channel-composer").before(thought);
  document.querySelector("#toolbar .session-menu").before(tableDoor(), evening());
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "characterData") translate(change.target);
      if (change.type === "attributes") invite(change.target);
      change.addedNodes.forEach(translate);
      change.addedNodes.forEach(inviteAll);
    }
    think(document.getElementById("action-status"));
  }).observe(document.body, { childList: true, characterData: true, subtree: true,
    attributeFilter: ["placeholder", "aria-label", "aria-valuetext", "title"] });
});
const wall = Date.now.bind(Date);
let clock = { at: wall(), ...told.evening.clock };
const now = globalThis.playgroundNow = () => clock.at + clock.ahead + (wall() - clock.at) * clock.times;
let showTimes = () => {};
function keepTime({ ahead, times }) {
  clock = { at: wall(), ahead, times };
  showTimes(times);
}
setInterval(() => ask({ clock: true }).then(keepTime, () => {}), 2000);
const ask = async (wish) => {
  const headers = { "X-Simcord-Capability": "%(secret)s", "X-Chaipo-Evening": "1" };
  return (await fetch("/api/pages", { method: "POST", headers, body: JSON.stringify(wish) })).json();
};
function tableDoor() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    #table-frame { position: fixed; z-index: 1; right: 0; bottom: 0; top: var(--table-top); border: 0;
      width: min(48vw, 820px); height: calc(100vh - var(--table-top)); }
    .table-open #preview-workspace { margin-right: min(48vw, 820px); }
    .switching :is(#channel-message-list, #focused-content, #message-picker, #modal-root) { visibility: hidden; }
    #channel-composer { grid-template-columns: minmax(0, 1fr); }
    #evening #fill-with-guests { margin: 6px 0; text-align: center; color: #fff; background: #5865f2; }
    #evening #fill-with-guests:hover { background: #4752c4; }
    @media (max-width: 900px) {
      #table-frame { width: 100vw; }
      .table-open #preview-workspace { margin-right: 0; }
    }
    @media (max-width: 760px) {
      #toolbar { height: auto; min-height: 0; }
      #toolbar .session-menu { position: static; }
      #toolbar .session-menu-popover { top: calc(100%% + 4px); right: 6px; max-width: calc(100vw - 12px); }
      #action-status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%%); }
    }`);
  if (told.lang !== "en") {
    const short = [["#refresh::after", "Refresh preview"], ["#capture-open::after", "Capture"],
      ["#inspector-toggle::before", "Inspector"]];
    const rules = short.map(([part, said]) => `${part} { content: "${told.words[said] || said}" }`);
    sheet.insertRule(`@media (max-width: 400px) { ${rules.join(" ")} }`);
  }
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const frame = document.createElement("iframe");
  frame.id = "table-frame";
  frame.title = told.table;
  frame.hidden = true;
  document.body.append(frame);
  const button = document.createElement("button");
  button.id = "table-toggle";
  button.type = "button";
  button.className = "toolbar-button";
  button.textContent = told.table;
  const eyes = document.getElementById("viewer-picker");
  let shown = "";
  let switched = 0;
  // What the one before them saw isn't shown to anybody else, however long it takes to switch.
  eyes.addEventListener("change", () => {
    const [wanted, status] = [eyes.value, document.getElementById("action-status")];
    document.body.classList.add("switching");
    frame.src = "about:blank";
    shown = "";
    think(status);
    clearInterval(switched);
    switched = setInterval(() => {
      const page = globalThis.simcordPreview;
      if (page.viewerId !== wanted && !page.ready) return;
      clearInterval(switched);
      document.body.classList.remove("switching");
      think(status);
    }, 50);
  }, { capture: true });
  const follow = async () => {
    const viewer = eyes.value;
    if (frame.hidden || !viewer || viewer === shown || document.body.classList.contains("switching")) return;
    shown = viewer;
    const { token } = await ask({ table: viewer });
    if (viewer === shown && token) frame.src = `/table#${token}`;
  };
  const toolbar = document.getElementById("toolbar");
  new ResizeObserver(() => {
    const { height, bottom } = toolbar.getBoundingClientRect();
    document.documentElement.style.setProperty("--table-top", `${bottom}px`);
    const shell = toolbar.closest(".preview-shell");
    if (innerWidth <= 760) shell.style.setProperty("--toolbar-height", `${height}px`);
    else shell.style.removeProperty("--toolbar-height");
  }).observe(toolbar);
  const open = (wide) => {
    document.body.classList.toggle("table-open", wide);
    frame.hidden = !wide;
    button.setAttribute("aria-expanded", String(wide));
    follow();
  };
  button.addEventListener("click", () => {
    open(frame.hidden);
    if (!frame.hidden) frame.focus(); // whose keys play from then on
  });
  setInterval(follow, 300);
  open(innerWidth >= 1100);
  return button;
}
function evening() {
  const menu = document.createElement("details");
  menu.id = "evening";
  menu.className = "session-menu";
  const part = (name, text, into) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    into.append(made);
    return made;
  };
  const choice = (label, options, chosen) => {
    const select = part("select", "", part("label", `${label} `, inside));
    for (const [value, text] of Object.entries(options)) {
      const option = part("option", text, select);
      option.value = value;
      option.selected = value === String(chosen);
    }
    return select;
  };
  const wish = async (wished) => {
    const answer = await ask(wished);
    keepTime(answer);
    said.textContent = answer.said;
  };
  part("summary", told.evening.menu, menu);
  const inside = part("div", "", menu);
  inside.className = "session-menu-popover";
  const sizes = choice(told.evening.many, told.evening.sizes, 12);
  const fill = part("button", told.evening.fill, inside);
  fill.type = "button";
  fill.id = "fill-with-guests";
  const times = choice(told.evening.time, told.evening.times, clock.times);
  showTimes = (shown) => { if (document.activeElement !== times) times.value = String(shown); };
  const said = part("p", "", inside);
  said.setAttribute("role", "status");
  fill.addEventListener("click", () => wish({ guests: Number(sizes.value) }));
  times.addEventListener("change", () => wish({ times: Number(times.value) }));
  const close = (pressed) => {
    for (const one of document.querySelectorAll("#toolbar .session-menu")) one.open &&= one.contains(pressed);
  };
  document.addEventListener("pointerdown", (event) => close(event.target));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(null); });
  addEventListener("blur", () => { if (document.activeElement?.id === "table-frame") close(null); });
  return menu;
}
let asked = -Infinity;
globalThis.asked = () => performance.now() - asked < 30000;
for (const kind of ["click", "keydown", "pointerdown", "touchmove", "wheel"]) {
  document.addEventListener(kind, (event) => {
    const control = event.target.closest?.("#channel-timeline button, #channel-composer, #modal-root");
    asked = control && ["click", "keydown"].includes(kind) ? performance.now() : -Infinity;
  }, { capture: true, passive: true });
}
const sizes = [["second", 1, 60], ["minute", 60, 3600], ["hour", 3600, 86400], ["day", 86400, 604800],
  ["week", 604800, Infinity]];
setInterval(() => {
  for (const time of document.querySelectorAll("time[data-style=R]")) {
    const seconds = (Date.parse(time.dateTime) - now()) / 1000;
    const [unit, size] = sizes.find(([, , limit]) => Math.abs(seconds) < limit);
    const words = new Intl.RelativeTimeFormat(time.dataset.locale, { numeric: "auto" });
    time.textContent = words.format(Math.round(seconds / size), unit);
  }
}, 1000);
}
"""
"""The page's script.

It admits any reader of the plain address, loads all cards, shows the page's own texts in the reader's language, and
opens the table's page next to the messages for the same player. Times are in the browser's time zone. It also shows
that a press is being processed, and updates countdowns, because SimCord draws them only once. A channel opens at its
newest message and scrolls to the result of the reader's own press or command, as in Discord.
"""

REWORDED: Final = {
    "/actions.js": (
        (
            'if (receipt.uncertain) return "Action outcome uncertain. It will not be retried.";',
            "if (receipt.uncertain) return globalThis.late();",
        ),
    ),
    "/commands.js": (
        ('"command-pill-label", option.name', '"command-pill-label", option.label || option.name'),
        ("[focused.name, focused.description", "[focused.label || focused.name, focused.description"),
        ("({ name: option.name, value: option.name,", "({ name: option.label || option.name, value: option.name,"),
        (  # Discord also suggests values for an empty option
            'const current = String(field.value || "");',
            'const current = String(field.value || ""); if (!current) queryAutocomplete(option, current);',
        ),
        (
            '"Loading options failed" : "No options',
            '"Loading options failed" : autocomplete.state === "loading" ? "…" : "No options',
        ),
    ),
    "/composer.js": (("sendButton.title = `${sendLabel} message (Enter)`;", "sendButton.title = sendLabel;"),),
    "/components.js": (
        ('`This form will be submitted to ${modal.application_name || "this application"}. Do not', "`Do not"),
    ),
    "/": (
        (
            "<title>SimCord Preview</title>",
            '<title>Chaipo playground</title><script src="/door.js"></script>',
        ),
    ),
    "/presentation.js": (
        (
            'locale: configured.locale || state.profile.locale || "en-US",',
            "locale: globalThis.ownLocale(configured.locale),",
        ),
        (
            'timezone: configured.timezone || state.profile.timezone || "UTC",',
            "timezone: globalThis.ownZone() || configured.timezone,",
        ),
    ),
    "/selects.js": (
        ("|| `${selected.length} selected. Choose ${minimum}–${maximum} options.`;", '|| "";'),
        (": `${entries.length} options on this page`;", ': "";'),
    ),
    "/timeline.js": (
        ('? { policy: "target", targetId:', '? { policy: previousIds.length ? "target" : "bottom", targetId:'),
        (
            ": state.scrollIntent || captureScrollIntent();",
            ': hasNewTail && globalThis.asked?.() ? { policy: "bottom" }'
            " : state.scrollIntent || captureScrollIntent();",
        ),
        (
            "ui.timeline.clientHeight <= 1 ?",
            'ui.timeline.clientHeight <= 1 || globalThis.asked?.() && state.scrollIntent?.policy === "bottom" ?',
        ),
    ),
    "/text.js": (
        (
            'const time = node("time", "discord-timestamp", rendered);',
            'const time = node("time", "discord-timestamp", rendered);'
            ' time.ariaLive = "off"; Object.assign(time.dataset, { style, locale: options.locale || "en-US" });',
        ),
        (
            'const assetId = typeof emoji.asset_id === "string" ? emoji.asset_id : null;',
            'if (globalThis.faces?.[emoji.name]) { const face = node("img", "custom-emoji");'
            " face.alt = emoji.name; face.src = globalThis.faces[emoji.name]; parent.append(face); return; }\n"
            '  const assetId = typeof emoji.asset_id === "string" ? emoji.asset_id : null;',
        ),
    ),
}
"""Changes to SimCord's files, by path."""
