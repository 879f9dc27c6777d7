// The record of an event's draw, and whether a hand's deck follows from what the event had fixed: docs/fairness-spec.md too.

import { bytesOf, framed, framedAll, hexOf, hmac, isHex32, isObject, isText, sha256, streamOf, utf8 } from "./sums.js";
import { firstOf } from "./verify.js";

/** @typedef {{ outcome: "right" | "wrong" | "unreadable", steps: import("./verify.js").VerifyStep[] }} DrawVerdict */

const DRAW = "chaipo/draw/v1";
const LABEL = /^(?:start|round [1-9][0-9]{0,3}|moment [0-9]{1,6})$/;
const WORDS = 2 ** 32;

/** @param {any} record */
export function isDraw(record) {
  return isObject(record) && isText(record.algorithm) && record.algorithm.startsWith("chaipo/draw/");
}

/** @param {any} one */
const isMaster = (one) => isObject(one) && isText(one.event) && isHex32(one.commitment) && isHex32(one.seed);

/** @param {any} record */
function drawReadable(record) {
  if (!isDraw(record) || record.algorithm !== DRAW) return false;
  const { event, label, commitment, seed, entropy, order, decks, former_decks: former = [], seeding } = record;
  if (![event, label].every(isText) || ![commitment, seed].every(isHex32)) return false;
  const pairs = Array.isArray(entropy) && entropy.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isText));
  if (!pairs || !Array.isArray(order) || !order.every(isText)) return false;
  if ((decks !== undefined && !isMaster(decks)) || !Array.isArray(former) || !former.every(isMaster)) return false;
  if (seeding === undefined) return true;
  return ["draw", "series", "rating", "hand"].includes(seeding?.by) && Array.isArray(seeding.seeds) && seeding.seeds.every((/** @type {any} */ seed) =>
    Array.isArray(seed) && seed.length === 2 && isText(seed[0]) && (seed[1] === null || Number.isSafeInteger(seed[1])));
}

/** @param {string} text */
const points = (text) => Array.from(text, (sign) => sign.codePointAt(0) ?? 0);

/**
 * Ids with fewer characters first, those of the same length by code points.
 * @param {string} one
 * @param {string} other
 */
function inOrder(one, other) {
  const [a, b] = [points(one), points(other)];
  const at = a.findIndex((point, place) => point !== b[place]);
  return a.length - b.length || (at < 0 ? 0 : a[at] - b[at]);
}

/**
 * The masters that a record shows, the oldest first.
 * @param {any} record
 * @returns {{ event: string, commitment: string, seed: string }[]}
 */
function mastersOf(record) {
  const all = [...(record.former_decks ?? []), ...(record.decks === undefined ? [] : [record.decks])];
  return all.map(({ event, commitment, seed }) => ({ event, commitment, seed }));
}

/**
 * Work the record of a draw out again.
 * @param {any} record
 * @returns {Promise<DrawVerdict>}
 */
export async function checkDraw(record) {
  if (!drawReadable(record)) return { outcome: "unreadable", steps: [] };
  const { event, label, seed, entropy } = record;
  /** @type {DrawVerdict["steps"]} */
  const steps = [{ key: "draw_seed", value: seed }];
  const commitment = async (/** @type {string} */ of, /** @type {string} */ secret) => hexOf(await sha256(framed(`${DRAW}/commit`, of, bytesOf(secret))));
  const fixed = await commitment(event, seed);
  steps.push({ key: "draw_commitment", value: fixed, right: fixed === record.commitment, posted: true });
  const same = (/** @type {string[]} */ one, /** @type {string[]} */ other) => JSON.stringify(one) === JSON.stringify(other);
  const drawn = [...record.order].sort(inOrder);
  const registered = entropy.map((/** @type {string[]} */ pair) => pair[0]).sort(inOrder);
  const fits = label === "start" ? same(drawn, registered) : !registered.length;
  const good = LABEL.test(label) && drawn.length > 0 && new Set(drawn).size === drawn.length && fits;
  steps.push({ key: "draw_names", value: label, right: good });
  const message = framedAll([DRAW, event, label, ...entropy.flat()]);
  steps.push({ key: "draw_message", value: hexOf(message) });
  const stream = await streamOf(seed, message);
  steps.push({ key: "stream", value: hexOf(stream.first) });
  const word = async () => {
    let value = 0;
    for (let byte = 0; byte < 4; byte++) value = value * 256 + await stream.next();
    return value;
  };
  const order = drawn;
  for (let i = order.length - 1; i > 0; i--) {
    let chosen = await word();
    while (chosen >= WORDS - (WORDS % (i + 1))) chosen = await word();
    const j = chosen % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  steps.push({ key: "draw_order", value: order.join(" · "), right: same(order, record.order), players: true });
  if (record.seeding) {
    const { by, seeds } = record.seeding;
    const figures = new Map(seeds.filter((/** @type {[string, number | null]} */ one) => one[1] !== null));
    const sign = by === "hand" ? 1 : -1;
    const figured = order.filter((player) => figures.has(player)).sort((one, other) => sign * (figures.get(one) - figures.get(other)));
    const seeded = [...figured, ...order.filter((player) => !figures.has(player))];
    const told = seeded.map((player) => (figures.has(player) ? `${player} (${figures.get(player)})` : player));
    steps.push({ key: "draw_seeds", value: told.join(" · "), right: same(seeded, seeds.map((/** @type {[string, unknown]} */ one) => one[0])), players: true });
  }
  for (const master of mastersOf(record)) {
    const made = await commitment(`${master.event}/boards`, master.seed);
    steps.push({ key: "draw_decks", value: made, right: made === master.commitment, posted: true });
  }
  return { outcome: steps.every((step) => step.right !== false) ? "right" : "wrong", steps };
}

/**
 * Whether the deck of a hand follows from an event that is over; both records are right by themselves.
 * @param {any} hand
 * @param {any} event
 * @returns {Promise<{ outcome: "follows" | "strange", steps: DrawVerdict["steps"] }>}
 */
export async function checkOfEvent(hand, event) {
  /** @type {DrawVerdict["steps"]} */
  const steps = [];
  const masters = mastersOf(event);
  const [, board, number] = /^(.+)\/board\/([1-9][0-9]{0,8})$/s.exec(hand.hand_id) ?? [];
  const tell = (/** @type {string} */ key, /** @type {string} */ value, /** @type {boolean} */ right) => steps.push({ key, value, right });
  if (hand.leaf === undefined && board) {
    const made = await Promise.all(masters.filter((one) => one.event === board).map((one) => hmac(bytesOf(one.seed), utf8(`board ${number}`))));
    const seeds = made.map(hexOf);
    tell("event_seed", seeds.join(" "), seeds.includes(hand.seed));
    const entered = new Map(event.entropy);
    const added = event.order.filter((/** @type {string} */ player) => entered.has(player)).flatMap((/** @type {string} */ player) => [player, entered.get(player)]);
    const entropy = hexOf(await sha256(framedAll(added)));
    const [one, ...more] = hand.players;
    tell("event_entropy", entropy, !more.length && one?.player === "event" && one.entropy === entropy);
  } else if (hand.leaf !== undefined) {
    const named = /^([^/]+)\/[0-9]+\/[0-9]+(?:\/([0-9a-f]+))?$/.exec(hand.hand_id);
    const meant = masters.filter((one) => {
      const of = /^([^/]+)\/event\/[0-9]+(?:\/([0-9a-f]+))?$/.exec(one.event);
      return named && of && named[1] === of[1] && named[2] === of[2];
    });
    const first = firstOf(hand.hand_id, hand.leaf) ?? "";
    const seeds = await Promise.all(meant.map(async (one) => {
      const secret = await hmac(bytesOf(one.seed), framed("chaipo/deal/v2/tree", first));
      return hexOf(await hmac(secret, framed("chaipo/deal/v2/seed", hand.hand_id)));
    }));
    tell("event_seed", seeds.join(" "), seeds.includes(hand.seed));
  } else tell("event_seed", "", false);
  return { outcome: steps.every((step) => step.right) ? "follows" : "strange", steps };
}
