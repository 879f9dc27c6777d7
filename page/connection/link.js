// The connection: it reopens when it's lost, says which view the page has, and resends what wasn't answered.

import { door } from "./door.js";

const PING_MS = 12_000;
const PONG_MS = 4_000;
const OPEN_MS = 6_000;
const WAKE_MS = 700;
const TRIPS = 3; // a connection that has answered after a second isn't lost after two
const SLOWLY = 4; // tries of which each has longer to open than the one before
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

/** @typedef {import("../state/state.js").Request} Request */

/**
 * The requests in an address; none if it holds anything else, since anyone can write an address.
 * @param {string} given
 * @returns {Request[]}
 */
function requestsIn(given) {
  try {
    const asked = JSON.parse(decodeURIComponent(given || "[]"));
    return Array.isArray(asked) ? asked.filter((one) => ["intent", "read"].includes(one?.type) && typeof one.id === "string") : [];
  } catch {
    return [];
  }
}

/**
 * What the address has brought, or this tab has had before: who it is, and what was not answered elsewhere. For a ticket
 * the page makes a token of its own.
 *
 * @param {string} given
 * @returns {[Key, Request[]]}
 */
export function brought(given) {
  /** @type {Key} */
  let key = { token: given, ticket: "" };
  /** @type {Request[]} */
  let asked = [];
  try {
    if (!given) return [JSON.parse(sessionStorage.getItem(KEPT) ?? "null") ?? key, asked];
    if (given.startsWith("=")) {
      const [token, rest] = given.slice(1).split("~");
      key = { token, ticket: "" };
      asked = requestsIn(rest);
    } else if (given.includes(".") && !/^(?:hand|stream)\./.test(given)) {
      key = { token: `${given.split(".")[0]}.${chance()}${chance()}`, ticket: given };
    } else if (!given.includes(".")) return [key, asked];
    sessionStorage.setItem(KEPT, JSON.stringify(key));
  } catch {
    // a sandbox has no storage
  }
  return [key, asked];
}

/**
 * What the connection asks of the page, and tells it.
 * @typedef {object} Page
 * @property {() => { table: number, state: string, overlay: boolean, puzzle?: boolean, analysis?: boolean }} has the view that the page has
 * @property {() => readonly Request[]} unanswered oldest first
 * @property {(message: import("../protocol").Sent) => void} heard
 * @property {(on: boolean) => void} connected
 */

export class Link {
  /**
   * @param {Key} key
   * @param {Page} page
   */
  constructor(key, page) {
    this.key = key;
    this.page = page;
    this.known = false;
    this.entering = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.ended = false;
    this.resends = false;
    this.tries = 0;
    this.timer = 0;
    this.pong = 0;
    /** @type {number[]} When the pings were sent whose pongs are still to come. */
    this.pings = [];
    this.trip = 0; // the slowest ping of late (ms); 0 before the first
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
    this.pings = [];
    this.wait(OPEN_MS * (1 + Math.min(this.tries, SLOWLY)));
    socket.addEventListener("open", () => {
      this.send({ type: "open", ...this.key, ...this.page.has() });
      this.resends = true;
    });
    socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (this.socket === socket) this.lost();
    });
  }

  /** @param {import("../protocol").Sent} message */
  hear(message) {
    clearTimeout(this.pong);
    if (message.type === "pong") this.measure();
    if (message.type === "words") this.known = true;
    if (message.type === "bye" && !message.again) this.end();
    // A frame stays where it is: whichever process is asked there leads on.
    if (message.type === "bye" && message.to && !door.enter) this.go(message.to);
    if (message.type === "snapshot" || message.type === "current") {
      this.tries = 0;
      this.page.connected(true);
      this.ping(PONG_MS);
    }
    this.page.heard(message);
    // What is found is said in words, which come first.
    if (message.type === "words" && this.resends) {
      this.resends = false;
      for (const one of this.page.unanswered()) this.send(one);
    }
  }

  /** Note how long a ping has taken; a network that gets faster is trusted again after a while. */
  measure() {
    const sent = this.pings.shift();
    if (sent !== undefined) this.trip = Math.max(1, Math.min(Date.now() - sent, PING_MS), this.trip * 0.8);
  }

  /**
   * Go on at another process, which knows the token, or the ticket that was not used yet.
   *
   * @param {string} to
   */
  go(to) {
    this.end();
    const asked = encodeURIComponent(JSON.stringify(this.page.unanswered()));
    location.replace(`${to}${location.search}#${this.known || !this.key.ticket ? `=${this.key.token}~${asked}` : this.key.ticket}`);
  }

  lost() {
    this.socket = null;
    if (this.ended) return;
    this.page.connected(false);
    this.timer = setTimeout(() => this.open(), WAITS_MS[Math.min(this.tries++, WAITS_MS.length - 1)]);
  }

  /** Reopen it at once if it may have been lost without a word, as on a phone that slept. */
  wake() {
    if (this.socket?.readyState === WebSocket.OPEN) this.ping(this.trip ? WAKE_MS : PONG_MS);
    // To open one takes several trips.
    else if (this.socket?.readyState === WebSocket.CONNECTING) this.wait(this.trip ? Math.max(WAKE_MS, 3 * TRIPS * this.trip) : OPEN_MS);
    else this.open();
  }

  /** @param {number} within at least; longer on a connection that has shown to be slow */
  ping(within) {
    if (this.socket?.readyState !== WebSocket.OPEN || document.hidden) return;
    this.pings.push(Date.now());
    this.send({ type: "ping" });
    this.wait(Math.max(within, TRIPS * this.trip));
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

  /** @param {import("../protocol").Heard} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  end() {
    this.ended = true;
    clearInterval(this.pinging);
    clearTimeout(this.timer);
    clearTimeout(this.pong);
    this.socket?.close();
  }
}
