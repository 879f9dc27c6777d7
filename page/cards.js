// Card faces, drawn: no picture is fetched, and each size is sharp.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {Element} [into]
 */
export function shape(name, attributes, into) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  into?.append(made);
  return made;
}

/**
 * The face of a card: rank above, suit below; "?" lies face down.
 * @param {string} code
 * @param {HTMLElement} element
 */
export function drawFace(code, element) {
  element.classList.add("card");
  if (code === "?") {
    element.classList.add("down");
    return element;
  }
  const svg = shape("svg", { viewBox: "0 0 60 82", "aria-hidden": "true" }, element);
  if (code[0] === "X") {
    element.classList.add("x");
    shape("use", { href: "#joker", x: 8, y: 18, width: 44, height: 44 }, svg);
    return element;
  }
  const suit = code[1];
  element.classList.add(suit);
  // Drawn by the style: who hears the card has its name, and shall not hear its rank as well.
  element.dataset.rank = code[0] === "T" ? "10" : code[0];
  shape("use", { href: `#suit-${suit}`, x: 21, y: 42, width: 36, height: 36 }, svg);
  return element;
}

/**
 * A card that can only be looked at.
 * @param {string} code
 * @param {string} called
 */
export function card(code, called) {
  const made = drawFace(code, document.createElement("span"));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", called);
  return made;
}

const RANKS = "23456789TJQKA";

/**
 * The places of cards, high ranks or like suits first; jokers last.
 * @param {readonly string[]} cards
 * @param {"dealt" | "rank" | "suit"} by
 */
export function sorted(cards, by) {
  const places = cards.map((_, place) => place);
  if (by === "dealt") return places;
  const rank = (/** @type {number} */ place) => RANKS.indexOf(cards[place][0]);
  const suit = (/** @type {number} */ place) => (cards[place][0] === "X" ? -1 : "cdhs".indexOf(cards[place][1]));
  return places.sort((a, b) => (by === "rank" ? rank(b) - rank(a) || suit(b) - suit(a) : suit(b) - suit(a) || rank(b) - rank(a)));
}
