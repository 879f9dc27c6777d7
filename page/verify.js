// A record is checked here, in the browser: docs/fairness.md, step by step. No bot is asked, and no connection is needed.

/** @typedef {{ key: string, value: string, right?: boolean }} VerifyStep */
/** @typedef {{ outcome: "right" | "wrong" | "withheld" | "unreadable", steps: VerifyStep[], deck: string[], hand: string }} Verdict */

const utf8 = new TextEncoder();
const DECK_V1 = "chaipo/deal/v1";
const DECK_V2 = "chaipo/deal/v2";
const TREE = 8;
const HEX32 = /^[0-9a-f]{64}$/;

/** @param {number} value */
function word32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** @param {...Uint8Array} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {...(string | Uint8Array)} parts */
export function framed(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? utf8.encode(part) : part));
  return joined(word32(bytes.length), ...bytes.flatMap((part) => [word32(part.length), part]));
}

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)));
}

/**
 * As many bytes of the stream as are asked for, one after the other.
 * @param {string} seed
 * @param {Uint8Array} message
 */
async function streamOf(seed, message) {
  const key = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (bytesOf(seed)), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const block = async (/** @type {number} */ number) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", key, /** @type {BufferSource} */ (joined(message, word32(number)))));
  let number = 0;
  let held = await block(0);
  const first = held;
  let at = 0;
  return {
    first,
    async next() {
      if (at === held.length) {
        held = await block(++number);
        at = 0;
      }
      return held[at++];
    },
  };
}

/**
 * The deck before the shuffle.
 * @param {number} decks
 * @param {number} jokers
 */
function canonical(decks, jokers) {
  const cards = Array.from("23456789TJQKA").flatMap((rank) => Array.from("cdhs", (suit) => rank + suit));
  return [...Array.from({ length: decks }, () => cards).flat(), ...["X1", "X2"].slice(0, jokers)];
}

/**
 * The id of the first hand of the tree.
 * @param {string} hand
 * @param {number} leaf
 */
function firstOf(hand, leaf) {
  const parts = hand.split("/");
  const number = parts[2] ?? "";
  if (parts.length < 3 || parts.length > 4 || !/^[1-9][0-9]*$/.test(number) || Number(number) - leaf < 1) return null;
  parts[2] = String(Number(number) - leaf);
  return parts.join("/");
}

/** @param {any} record */
function readable(record) {
  const named = record !== null && typeof record === "object" && !Array.isArray(record);
  if (!named || ![DECK_V1, DECK_V2].includes(record.algorithm)) return false;
  const { hand_id: hand, variant, deck, players, seed, deck_order: order, dealt } = record;
  const whole = (/** @type {unknown} */ one) => Number.isSafeInteger(one) && Number(one) >= 0;
  const texts = [hand, variant, order].every((one) => typeof one === "string") && HEX32.test(seed);
  if (!texts || ![1, 2].includes(deck?.decks) || ![0, 1, 2].includes(deck?.jokers) || !Array.isArray(players)) return false;
  const people = players.map((/** @type {any} */ one) => one?.player);
  const seated = players.every((/** @type {any} */ one) => typeof one?.player === "string" && typeof one?.entropy === "string");
  if (!seated || new Set(people).size !== people.length) return false;
  const good = dealt === undefined || (whole(dealt?.button) && Array.isArray(dealt?.fantasyland) && dealt.fantasyland.every(whole));
  if (record.algorithm === DECK_V1) return good && HEX32.test(record.commitment);
  const house = record.house ?? {};
  const rules = typeof house === "object" && Object.entries(house).every(([key, value]) =>
    /^[A-Za-z0-9_.]{1,40}$/.test(key) && key !== "edition" && typeof value === "string" && !value.includes("\n"));
  const edition = record.edition === undefined || (whole(record.edition) && record.edition > 1);
  const path = Array.isArray(record.path) && record.path.length === TREE && record.path.every((/** @type {unknown} */ one) => HEX32.test(String(one)));
  return good && dealt !== undefined && rules && edition && path && HEX32.test(record.root) && whole(record.leaf) && record.leaf < 256
    && dealt.fantasyland.length === players.length && firstOf(hand, record.leaf) !== null;
}

/**
 * Work a record out again.
 * @param {string} text
 * @returns {Promise<Verdict>}
 */
export async function checkRecord(text) {
  /** @type {any} */
  let record = null;
  try {
    record = JSON.parse(text);
  } catch {
    // said below
  }
  if (!readable(record)) return { outcome: "unreadable", steps: [], deck: [], hand: "" };
  const second = record.algorithm === DECK_V2;
  const { hand_id: hand, seed } = record;
  const entropy = record.players.flatMap((/** @type {any} */ one) => [one.player, one.entropy]);
  /** @type {VerifyStep[]} */
  const steps = [{ key: "seed", value: seed }];
  let fixed = "";
  let message;
  if (second) {
    let here = await sha256(framed("chaipo/deal/v2/leaf", hand, bytesOf(seed)));
    steps.push({ key: "leaf", value: hexOf(here) });
    let place = record.leaf;
    for (const beside of record.path) {
      const pair = place % 2 ? [bytesOf(beside), here] : [here, bytesOf(beside)];
      here = await sha256(framed("chaipo/deal/v2/node", pair[0], pair[1]));
      place = Math.floor(place / 2);
    }
    fixed = hexOf(await sha256(framed("chaipo/deal/v2/root", firstOf(hand, record.leaf) ?? "", here)));
    steps.push({ key: "root", value: fixed, right: fixed === record.root });
    const rules = Object.keys(record.house ?? {}).sort().map((key) => `\n${key}=${record.house[key]}`);
    const game = record.variant + rules.join("") + (record.edition === undefined ? "" : `\nedition=${record.edition}`);
    message = framed(DECK_V2, hand, game, `${record.dealt.button}:${record.dealt.fantasyland.join(",")}`, ...entropy);
  } else {
    fixed = hexOf(await sha256(framed("chaipo/deal/v1/commit", hand, bytesOf(seed))));
    steps.push({ key: "commitment", value: fixed, right: fixed === record.commitment });
    message = framed(DECK_V1, hand, ...entropy);
  }
  const bound = steps[steps.length - 1].right === true;
  steps.push({ key: "message", value: hexOf(message) });
  const stream = await streamOf(seed, message);
  steps.push({ key: "stream", value: hexOf(stream.first) });
  if (record.withheld?.length) return { outcome: bound ? "withheld" : "wrong", steps, deck: [], hand };
  const deck = canonical(record.deck.decks, record.deck.jokers);
  for (let i = deck.length - 1; i > 0; i--) {
    const most = 256 - (256 % (i + 1));
    let byte = await stream.next();
    while (byte >= most) byte = await stream.next();
    const j = byte % (i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  const same = deck.join("") === record.deck_order;
  steps.push({ key: "deck", value: deck.join(" "), right: same });
  return { outcome: bound && same ? "right" : "wrong", steps, deck, hand };
}
