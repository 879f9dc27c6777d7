// What records are worked out with: docs/fairness-spec.md, to the byte.

const encoder = new TextEncoder();

/**
 * True for 32 bytes as records write them.
 * @param {unknown} one
 */
export const isHex32 = (one) => typeof one === "string" && /^[0-9a-f]{64}$/.test(one);

/**
 * True for what has keys.
 * @param {unknown} one
 */
export const isObject = (one) => one !== null && typeof one === "object" && !Array.isArray(one);

/**
 * @param {unknown} one
 * @param {number} least
 * @param {number} most
 */
export const isWhole = (one, least, most) => Number.isSafeInteger(one) && Number(one) >= least && Number(one) <= most;

/** @param {number} value */
function word32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** @param {readonly Uint8Array[]} parts of which there may be too many for the arguments of a function */
function joined(parts) {
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
  return framedAll(parts);
}

/** @param {readonly (string | Uint8Array)[]} parts */
export function framedAll(parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
  return joined([word32(bytes.length), ...bytes.flatMap((part) => [word32(part.length), part])]);
}

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
export const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)));
}

/**
 * @param {Uint8Array} secret
 * @param {Uint8Array} message
 */
export async function hmac(secret, message) {
  const key = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, /** @type {BufferSource} */ (message)));
}

/** @param {string} text */
export const utf8 = (text) => encoder.encode(text);

/**
 * True for a text that UTF-8 can write.
 * @param {unknown} one
 * @returns {one is string}
 */
export const isText = (one) => typeof one === "string" && !/\p{Cs}/u.test(one);

/**
 * What is posted of 32 bytes: the first 130 bits in base32.
 * @param {string} digest
 */
export function fingerprint(digest) {
  const bits = Array.from(bytesOf(digest), (byte) => byte.toString(2).padStart(8, "0")).join("");
  return Array.from({ length: 26 }, (_, place) => "abcdefghijklmnopqrstuvwxyz234567"[parseInt(bits.slice(5 * place, 5 * place + 5), 2)]).join("");
}

/**
 * As many bytes of the stream as are asked for, one after the other.
 * @param {string} seed
 * @param {Uint8Array} message
 */
export async function streamOf(seed, message) {
  const block = (/** @type {number} */ number) => hmac(bytesOf(seed), joined([message, word32(number)]));
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
