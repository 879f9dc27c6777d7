// The connection: it opens again by itself, says which view the page has, and sends again what was not answered.

import { door } from "./door.js";

const PING_MS = 12_000;
const PONG_MS = 4_000;
const OPEN_MS = 6_000;
const WAKE_MS = 700;
const WAITS_MS = [150, 400, 1_000, 2_000, 4_000];

/** @returns {string} */
export function chance() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const KEPT = "chaipo-key";

/**
 * Who it is: a ticket of a link, or a code of Discord's, is good once, and known by a token.
 * @typedef {{ token: string, ticket: string, code?: string, instance?: string }} Key
 */

/**
 * What the address has brought, or this tab has had before: who it is, and what was not answered elsewhere. For a ticket
 * the page makes a token of its own.
 *
 * @param {string} given
 * @returns {[Key, import("./protocol").Intent[]]}
 */
export function brought(given) {
  /** @type {Key} */
  let key = { token: given, ticket: "" };
  /** @type {import("./protocol").Intent[]} */
  let asked = [];
  try {
    if (!given) return [JSON.parse(sessionStorage.getItem(KEPT) ?? "null") ?? key, asked];
    if (given.startsWith("=")) {
      const [token, rest] = given.slice(1).split("~");
      key = { token, ticket: "" };
      asked = JSON.parse(decodeURIComponent(rest || "[]"));
    } else if (given.includes(".") && !given.startsWith("hand.")) {
      key = { token: `${given.split(".")[0]}.${chance()}${chance()}`, ticket: given };
    } else if (!given.startsWith("hand.")) return [key, asked];
    sessionStorage.setItem(KEPT, JSON.stringify(key));
  } catch {
    // a sandbox has no storage
  }
  return [key, asked];
}

export class Link {
  /**
   * @param {Key} key
   * @param {import("./protocol").Intent[]} asked what is still to be answered
   * @param {(message: import("./protocol").Sent) => void} told
   * @param {(connected: boolean) => void} connected
   * @param {boolean} overlay
   */
  constructor(key, asked, told, connected, overlay) {
    this.overlay = overlay;
    this.key = key;
    this.known = false;
    this.entering = false;
    this.told = told;
    this.connected = connected;
    this.table = 0;
    this.state = "";
    /** @type {WebSocket | null} */
    this.socket = null;
    this.ended = false;
    this.tries = 0;
    this.timer = 0;
    this.pong = 0;
    /** @type {Map<string, import("./protocol").Intent>} */
    this.unanswered = new Map(asked.map((intent) => [intent.id, intent]));
    this.pinging = setInterval(() => this.ping(PONG_MS), PING_MS);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    if (this.ended || this.entering) return;
    if (!door.enter || this.known) {
      this.connect();
      return;
    }
    this.entering = true;
    void door.enter().then((key) => {
      this.entering = false;
      this.key = key;
      if (!this.ended) this.connect();
    });
  }

  connect() {
    const socket = new WebSocket(new URL("api/1/socket", location.href).href.replace(/^http/, "ws"));
    this.socket = socket;
    this.wait(OPEN_MS);
    socket.addEventListener("open", () => {
      this.send({ type: "open", ...this.key, table: this.table, state: this.state, overlay: this.overlay });
      for (const intent of this.unanswered.values()) this.send(intent);
    });
    socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (this.socket === socket) this.lost();
    });
  }

  /** @param {import("./protocol").Sent} message */
  hear(message) {
    clearTimeout(this.pong);
    if (message.type === "words") this.known = true;
    if (message.type === "bye" && !message.again) this.end();
    // A frame stays where it is: whichever process is asked there leads on.
    if (message.type === "bye" && message.to && !door.enter) this.go(message.to);
    if (message.type === "answer") this.unanswered.delete(message.id);
    if (message.type === "snapshot" || message.type === "change") this.state = message.state;
    if (message.type === "snapshot" || message.type === "current") {
      this.tries = 0;
      this.connected(true);
    }
    this.told(message);
  }

  /**
   * Go on at another process, which knows the token, or the ticket that was not used yet.
   *
   * @param {string} to
   */
  go(to) {
    this.end();
    const asked = encodeURIComponent(JSON.stringify([...this.unanswered.values()]));
    location.replace(`${to}#${this.known || !this.key.ticket ? `=${this.key.token}~${asked}` : this.key.ticket}`);
  }

  lost() {
    this.socket = null;
    if (this.ended) return;
    this.connected(false);
    this.timer = setTimeout(() => this.open(), WAITS_MS[Math.min(this.tries++, WAITS_MS.length - 1)]);
  }

  /** Open it at once where it may have been lost without a word, as on a phone that slept. */
  wake() {
    if (this.socket?.readyState === WebSocket.OPEN) this.ping(WAKE_MS);
    else if (this.socket?.readyState === WebSocket.CONNECTING) this.wait(WAKE_MS);
    else this.open();
  }

  /** @param {number} within */
  ping(within) {
    if (this.socket?.readyState !== WebSocket.OPEN || document.hidden) return;
    this.send({ type: "ping" });
    this.wait(within);
  }

  /**
   * Give the connection up where nothing is heard in time: a network that is lost says nothing.
   *
   * @param {number} within
   */
  wait(within) {
    clearTimeout(this.pong);
    this.pong = setTimeout(() => {
      const silent = this.socket;
      this.socket = null;
      silent?.close();
      this.lost();
    }, within);
  }

  /** @param {import("./protocol").Heard} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {Omit<import("./protocol").Intent, "id" | "type">} wanted */
  want(wanted) {
    const intent = /** @type {const} */ ({ type: "intent", id: chance(), ...wanted });
    this.unanswered.set(intent.id, intent);
    this.send(intent);
    return intent.id;
  }

  end() {
    this.ended = true;
    clearInterval(this.pinging);
    clearTimeout(this.timer);
    clearTimeout(this.pong);
    this.socket?.close();
  }
}
