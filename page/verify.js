// A record is checked here, in the browser: docs/fairness.md, step by step. No bot is asked, and no connection is needed.

import { bytesOf, framed, HEX32, hexOf, isText, sha256, streamOf } from "./sums.js";

/**
 * A step on the way; what is ``posted`` is to be compared with what the bot has posted before. Of ``players`` the value
 * holds ids, between dots.
 * @typedef {{ key: string, value: string, right?: boolean, posted?: boolean, players?: boolean }} VerifyStep
 */
/** @typedef {"right" | "wrong" | "withheld" | "unreadable"} Outcome */
/** @typedef {{ outcome: Outcome, steps: VerifyStep[], deck: string[], hand: string, second: boolean, dealt: Deal[] }} Verdict */
/** @typedef {{ seat: number, player: string, cards: string[] }} Deal */

const DECK_V1 = "chaipo/deal/v1";
const DECK_V2 = "chaipo/deal/v2";
const TREE = 8;
/** @type {Record<string, number[]>} The cards of each street, by game. */
const STREETS = /*{{streets}}*/ {};

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
export function firstOf(hand, leaf) {
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
  const texts = [hand, variant, order].every(isText) && HEX32.test(seed);
  if (!texts || ![1, 2].includes(deck?.decks) || ![0, 1, 2].includes(deck?.jokers) || !Array.isArray(players)) return false;
  const people = players.map((/** @type {any} */ one) => one?.player);
  const seated = players.every((/** @type {any} */ one) => isText(one?.player) && isText(one?.entropy));
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
 * Who is dealt which cards, as far as the hand was played: in the order in which they leave the deck. Nothing where the
 * record does not tell, or a house has rules of its own.
 * @param {any} record
 * @param {readonly string[]} deck
 * @returns {Deal[]}
 */
function dealsOf(record, deck) {
  const { dealt, players, variant } = record;
  const streets = Object.keys(record.house ?? {}).length ? undefined : STREETS[variant];
  if (!streets || !dealt || !players.length || dealt.fantasyland.length !== players.length) return [];
  const clockwise = players.map((/** @type {unknown} */ _, /** @type {number} */ step) => (dealt.button + 1 + step) % players.length);
  /** @type {Deal[]} */
  const made = [];
  let place = 0;
  const deal = (/** @type {number} */ seat, /** @type {number} */ count) => {
    made.push({ seat, player: players[seat].player, cards: deck.slice(place, place + count) });
    place += count;
  };
  for (const seat of clockwise) if (dealt.fantasyland[seat]) deal(seat, dealt.fantasyland[seat]);
  for (const count of streets) for (const seat of clockwise) if (!dealt.fantasyland[seat]) deal(seat, count);
  return made;
}

/**
 * Work the record of a hand out again.
 * @param {any} record
 * @returns {Promise<Verdict>}
 */
export async function checkRecord(record) {
  if (!readable(record)) return { outcome: "unreadable", steps: [], deck: [], hand: "", second: false, dealt: [] };
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
    steps.push({ key: "root", value: fixed, right: fixed === record.root, posted: true });
    const rules = Object.keys(record.house ?? {}).sort().map((key) => `\n${key}=${record.house[key]}`);
    const game = record.variant + rules.join("") + (record.edition === undefined ? "" : `\nedition=${record.edition}`);
    message = framed(DECK_V2, hand, game, `${record.dealt.button}:${record.dealt.fantasyland.join(",")}`, ...entropy);
  } else {
    fixed = hexOf(await sha256(framed("chaipo/deal/v1/commit", hand, bytesOf(seed))));
    steps.push({ key: "commitment", value: fixed, right: fixed === record.commitment, posted: true });
    message = framed(DECK_V1, hand, ...entropy);
  }
  const bound = steps[steps.length - 1].right === true;
  steps.push({ key: "message", value: hexOf(message) });
  const stream = await streamOf(seed, message);
  steps.push({ key: "stream", value: hexOf(stream.first) });
  if (record.withheld?.length) return { outcome: bound ? "withheld" : "wrong", steps, deck: [], hand, second, dealt: [] };
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
  return { outcome: bound && same ? "right" : "wrong", steps, deck, hand, second, dealt: same ? dealsOf(record, deck) : [] };
}
