// Small helpers for elements.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {{ class?: string, text?: string } & Record<string, string | undefined>} [given]
 * @param {...(Node | string | null)} inside
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, given = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (key === "class") made.className = value;
    else if (key === "text") made.textContent = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside.filter((one) => one !== null));
  return made;
}

/** @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(id);
  return found;
}

/**
 * The same text, in which no line ends behind the hyphen of "A-high".
 * @param {string} text
 */
export function unbroken(text) {
  return text.replace(/(^|[^\w-])(\w\w?)-(?=\w)/g, "$1$2\u2011");
}

const PARTS = /([\x02\x03]|<t:\d+(?::\w)?>|(?:10|[2-9TJQKA])[♣♦♥♠]\ufe0e?|🃏)/u;
/** @type {Record<string, string>} */
const SUITS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/**
 * A sentence in which moments count down: "<t:12:R>" is one, in seconds since 1970. What stands between \x02 and \x03 is bold.
 * @param {string} said
 * @param {string} language
 * @param {() => number} now
 * @param {(code: string) => Node} [face] draws the cards that the sentence names
 */
export function sentence(said, language, now, face) {
  /** @type {Node[]} */
  const made = [];
  /** @type {HTMLElement | null} */
  let bold = null;
  for (const part of said.split(PARTS)) {
    if (part === "\x02") made.push(bold = make("b"));
    else if (part === "\x03") bold = null;
    else if (part) {
      const node = moment(part, language, now) ?? (face && cardIn(part, face)) ?? document.createTextNode(unbroken(part));
      if (bold) bold.append(node);
      else made.push(node);
    }
  }
  return made;
}

/**
 * @param {string} part
 * @param {string} language
 * @param {() => number} now
 */
function moment(part, language, now) {
  const at = /^<t:(\d+)/.exec(part)?.[1];
  return at === undefined ? null : make("time", { "data-at": at, text: relative(Number(at) * 1000 - now(), language) });
}

/**
 * @param {string} part
 * @param {(code: string) => Node} face
 */
function cardIn(part, face) {
  if (part === "🃏") return face("X1");
  const [, rank, suit] = /^(10|[2-9TJQKA])([♣♦♥♠])\ufe0e?$/u.exec(part) ?? [];
  return suit ? face(`${rank.replace("10", "T")}${SUITS[suit]}`) : null;
}

/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[]} */
const UNITS = [["second", 1, 60], ["minute", 60, 3600], ["hour", 3600, 86400], ["day", 86400, Infinity]];

/**
 * @param {number} ms
 * @param {string} language
 */
export function relative(ms, language) {
  const seconds = ms / 1000;
  const [unit, size] = UNITS.find(([, , limit]) => Math.abs(seconds) < limit) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/**
 * The same sentence for who hears it.
 * @param {string} said
 * @param {string} language
 * @param {() => number} now
 */
export function heard(said, language, now) {
  return said.replace(/[\x02\x03]/g, "").replace(/<t:(\d+)(?::\w)?>/g, (_, at) => relative(Number(at) * 1000 - now(), language));
}

/**
 * Makes what stands there like what was made anew, and touches nothing that is so already: whoever has just pressed a
 * button, or has the focus on a card, still has it.
 * @param {Element} old
 * @param {Element} fresh
 */
export function morph(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const keyed = new Map([...old.children].flatMap((one) => (keyOf(one) ? [[keyOf(one), one]] : [])));
  /** @type {ChildNode | null} */
  let at = old.firstChild;
  for (const kid of [...fresh.childNodes]) {
    const key = keyOf(kid);
    const match = key ? keyed.get(key) : at && !keyOf(at) ? at : null;
    if (!match || match.nodeName !== kid.nodeName) {
      old.insertBefore(kid, at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else old.insertBefore(match, at);
    if (match.isEqualNode(kid)) continue;
    if (match instanceof Element && kid instanceof Element) morph(match, kid);
    else match.textContent = kid.textContent;
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute("data-key") : null;
}
