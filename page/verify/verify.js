// A record is checked here, in the browser: docs/fairness-spec.md, step by step. No bot is asked, and no connection is needed.

import { STREETS } from "./given.js";
import { bytesOf, framed, framedAll, hexOf, isHex32, isObject, isText, isWhole, sha256, streamOf } from "./sums.js";

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
  const [, table, number, epoch] = /^([^/]+\/[^/]+)\/([1-9][0-9]{0,9})(\/[0-9a-f]+)?$/.exec(hand) ?? [];
  return table && Number(number) > leaf ? `${table}/${Number(number) - leaf}${epoch ?? ""}` : null;
}

/** @param {any} one */
const isSeated = (one) => isObject(one) && isText(one.player) && isText(one.entropy);

/**
 * True for players as version 2 names them, each once.
 * @param {{ player: string, entropy: string }[]} all
 */
const arePlayers = (all) => new Set(all.map(({ player }) => player)).size === all.length
  && all.every(({ player, entropy }) => /^[1-9][0-9]{0,19}$/.test(player) || (/^computer-[0-9]$/.test(player) && !entropy));

/**
 * @param {any} dealt
 * @param {number} seats
 */
const isDealt = (dealt, seats) => isObject(dealt) && isWhole(dealt.button, 0, Math.max(seats - 1, 0)) && Array.isArray(dealt.fantasyland)
  && dealt.fantasyland.length === seats && dealt.fantasyland.every((/** @type {unknown} */ count) => isWhole(count, 0, 52));

/** @param {any} house */
const isHouse = (house) => isObject(house) && Object.entries(house).every(([key, value]) =>
  /^[A-Za-z0-9_.]{1,40}$/.test(key) && key !== "edition" && isText(value) && !value.includes("\n"));

/**
 * True for a record of a hand, in the shape that `bot/pure/ofc/proof.py` reads.
 * @param {any} record
 */
function readable(record) {
  if (!isObject(record) || ![DECK_V1, DECK_V2].includes(record.algorithm)) return false;
  const { hand_id: hand, variant, deck, players, seed, deck_order: order } = record;
  if (![hand, variant, order].every(isText) || !/^[a-z0-9_]{1,40}$/.test(variant) || !isHex32(seed)) return false;
  if (!isObject(deck) || !isWhole(deck.decks, 1, 2) || !isWhole(deck.jokers, 0, 2)) return false;
  if (!Array.isArray(players) || !players.every(isSeated)) return false;
  const withheld = "withheld" in record ? record.withheld : [];
  if (!Array.isArray(withheld) || !withheld.every((seat) => isWhole(seat, 0, players.length - 1))) return false;
  if ("dealt" in record && !isDealt(record.dealt, players.length)) return false;
  if (record.algorithm === DECK_V1) return isHex32(record.commitment);
  const house = !("house" in record) || isHouse(record.house);
  const edition = !("edition" in record) || isWhole(record.edition, 2, Infinity);
  const path = Array.isArray(record.path) && record.path.length === TREE && record.path.every(isHex32);
  const known = players.filter((_, seat) => !withheld.includes(seat));
  return "dealt" in record && house && edition && path && isHex32(record.root) && isWhole(record.leaf, 0, 2 ** TREE - 1) && arePlayers(known);
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
  const streets = Object.keys(record.house ?? {}).length || !Object.hasOwn(STREETS, variant) ? undefined : STREETS[variant];
  if (!streets || !dealt || !players.length || players.length > deck.length) return [];
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
    message = framedAll([DECK_V2, hand, game, `${record.dealt.button}:${record.dealt.fantasyland.join(",")}`, ...entropy]);
  } else {
    fixed = hexOf(await sha256(framed("chaipo/deal/v1/commit", hand, bytesOf(seed))));
    steps.push({ key: "commitment", value: fixed, right: fixed === record.commitment, posted: true });
    message = framedAll([DECK_V1, hand, ...entropy]);
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
