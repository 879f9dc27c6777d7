// Written by `make page` from the types of bot/web/messages.py.

export interface Answer {
  id: string;
  outcome: string;
  said: string;
  letters: string;
  type: "answer";
}

export interface Bye {
  said: string;
  again: boolean;
  to: string;
  type: "bye";
}

export interface Change {
  now: number;
  state: string;
  parts: Record<string, any>;
  type: "change";
}

export interface Confirm {
  verb: "confirm" | "ahead" | "take_back" | "";
  label: string;
  ready: boolean;
  danger: boolean;
}

export interface Current {
  now: number;
  type: "current";
}

export interface Draft {
  type: "draft";
  table: number;
  turn: string;
  letters: string;
}

export interface Drafted {
  turn: string;
  letters: string;
  hands: [string, string, string];
  level: "" | "danger" | "foul" | "fantasyland";
  warning: string;
  asked: string;
  confirm: Confirm;
  type: "drafted";
}

export interface Intent {
  type: "intent";
  id: string;
  verb: "confirm" | "ahead" | "take_back" | "arrange" | "declare" | "surrender" | "next_hand" | "start_now" | "back";
  table: number;
  turn: string;
  letters?: string;
}

export interface Look {
  type: "look";
  table: number;
}

export interface Mine {
  turn: string;
  cards: string[];
  to_place: number;
  whole: boolean;
  told: string;
  discards: string;
  draft: Drafted;
}

export interface Offered {
  verb: "declare" | "surrender" | "next_hand" | "start_now" | "back";
  label: string;
  text: string;
  sure: string;
  turn: string;
}

export interface Open {
  type: "open";
  token: string;
  ticket?: string;
  table?: number;
  state?: string;
}

export interface Ping {
  type: "ping";
}

export interface Pong {
  type: "pong";
}

export interface ResultShown {
  title: string;
  totals: string[];
  notes: string[];
  pairs: string[];
}

export interface SeatShown {
  name: string;
  you: boolean;
  chips: string;
  note: string;
  waiting: boolean;
  placed: boolean;
  rows: [string[], string[], string[]];
  hands: [string, string, string];
  latest: string[];
  held: string[];
  discards: string[];
  until: number | null;
  gained: string;
  fouled: boolean;
}

export interface Snapshot {
  now: number;
  state: string;
  view: View;
  type: "snapshot";
}

export interface TableChoice {
  table: number;
  title: string;
  waits: boolean;
  chosen: boolean;
}

export interface View {
  table: number;
  title: string;
  about: string;
  status: string;
  yours: boolean;
  until: number | null;
  bank: number;
  colours: "four" | "two";
  row_names: [string, string, string];
  seats: SeatShown[];
  mine: Mine | null;
  result: ResultShown | null;
  offers: Offered[];
  tables: TableChoice[];
}

export interface WordsSent {
  language: string;
  words: Record<string, string>;
  cards: Record<string, string>;
  type: "words";
}

export interface Working {
  id: string;
  type: "working";
}

export type Heard = Open | Look | Draft | Intent | Ping;

export type Sent = WordsSent | Snapshot | Change | Current | Drafted | Working | Answer | Pong | Bye;
