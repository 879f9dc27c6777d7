// The connection: it opens again by itself, says which view the page has, and sends again what was not answered.

const PING_MS = 12_000;
const PONG_MS = 4_000;
const WAKE_MS = 900;
const WAITS_MS = [150, 400, 1_000, 2_000, 4_000];

/** @returns {string} */
export function chance() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Link {
  /**
   * @param {string} token
   * @param {(message: import("./protocol").Sent) => void} told
   * @param {(connected: boolean) => void} connected
   * @param {boolean} overlay
   */
  constructor(token, told, connected, overlay) {
    this.overlay = overlay;
    this.token = token;
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
    this.unanswered = new Map();
    this.pinging = setInterval(() => this.ping(PONG_MS), PING_MS);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    if (this.ended) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/1/socket`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.send({ type: "open", token: this.token, table: this.table, state: this.state, overlay: this.overlay });
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
    if (message.type === "bye" && !message.again) this.end();
    if (message.type === "answer") this.unanswered.delete(message.id);
    if (message.type === "snapshot" || message.type === "change") this.state = message.state;
    if (message.type === "snapshot" || message.type === "current") {
      this.tries = 0;
      this.connected(true);
    }
    this.told(message);
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
    else if (this.socket?.readyState !== WebSocket.CONNECTING) this.open();
  }

  /** @param {number} within */
  ping(within) {
    if (this.socket?.readyState !== WebSocket.OPEN || document.hidden) return;
    this.send({ type: "ping" });
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
