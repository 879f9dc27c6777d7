// Written by `make page` from the types of bot/web/messages.py.

export interface Analysed {
  game: string;
  position: string;
  title: string;
  numbers: string[];
  placements: AnalysedShown[];
  told: string[];
  deeper: boolean;
}

export interface AnalysedShown {
  name: string;
  letters: string;
  hands: [string, string, string];
  numbers: string[];
}

export interface AnalysisChoices {
  games: AnalysisGame[];
  game: string;
  labels: Record<string, string>;
}

export interface AnalysisGame {
  game: string;
  label: string;
  row_names: [string, string, string];
  decks: number;
  jokers: number;
  opponents: number;
  fantasyland: number[];
  discards: boolean;
  open_discards: boolean;
}

export interface Answer {
  id: string;
  outcome: string;
  said: string;
  letters: string;
  hint: Hinted | null;
  stream: string;
  puzzles: PuzzleChoices | null;
  analysis: Analysed | null;
  type: "answer";
}

export interface Assemble {
  type: "assemble";
  game: string;
  position: string;
}

export interface Assembled {
  game: string;
  position: string;
  text: string;
  ready: boolean;
  said: string;
  read: PositionAssembled | null;
  type: "assembled";
}

export interface Better {
  seat: SeatShown;
  letters: string;
  start: number;
}

export interface BoardAssembled {
  rows: [string[], string[], string[]];
  discards: string[];
  fantasyland: number;
}

export interface BoardShown {
  table: number;
  title: string;
  status: string;
  seats: SeatShown[];
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

export interface Chapter {
  title: string;
  lines: Line[];
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

export interface Duel {
  seats: SeatScored[];
  pairs: PairScored[];
}

export interface EventShown {
  title: string;
  standings: string[];
  headings: number[];
  boards: BoardShown[];
  next: string[];
  address: string;
}

export interface FantasylandRules {
  entry: Record<string, number>;
  stay_cards: number;
  stay_middle: string;
  stay_back: string;
  wheel_cards: number;
  both_cards: number;
  wheel_stays: boolean;
}

export interface Found {
  id: string;
  what: "rules" | "past" | "review" | "file" | "record" | "link" | "invite" | "puzzles" | "analysis";
  text: string;
  name: string;
  chapters: Chapter[];
  past: PastShown | null;
  names: Record<string, string>;
  puzzles: PuzzleChoices | null;
  analysis: AnalysisChoices | null;
  type: "found";
}

export interface Hinted {
  turn: string;
  title: string;
  placements: Suggested[];
  note: string;
}

export interface Intent {
  type: "intent";
  id: string;
  verb: "confirm" | "ahead" | "take_back" | "arrange" | "declare" | "surrender" | "next_hand" | "start" | "start_now" | "back" | "join" | "rebuy" | "top_up" | "sit_out" | "leave" | "hint" | "retry" | "end_retry" | "let_watch" | "unwatch" | "watched" | "stream" | "stream_renew" | "stream_end" | "say" | "puzzle_next" | "puzzle_later" | "puzzle_harder" | "puzzle_easier" | "puzzle_theme" | "puzzle_games" | "analyse" | "analyse_deeper";
  table: number;
  turn: string;
  letters?: string;
  phrase?: "good_luck" | "nice_hand" | "wow" | "thanks" | "oops" | "thinking" | "no_hurry" | "good_game" | "";
  chosen?: string[];
  game?: string;
  position?: string;
}

export interface Line {
  kind: "heading" | "text" | "item" | "small" | "table";
  text: string;
  mark: "" | "right" | "wrong" | "other";
  head: string[];
  rows: string[][];
}

export interface Look {
  type: "look";
  table: number;
  beside?: boolean;
}

export interface Mine {
  turn: string;
  cards: string[];
  to_place: number;
  whole: boolean;
  told: string;
  discards: string;
  draft: Drafted;
  fantasyland: number;
}

export interface Offered {
  verb: "declare" | "surrender" | "next_hand" | "start" | "start_now" | "back" | "join" | "rebuy" | "top_up" | "sit_out" | "leave" | "invite" | "hint" | "retry" | "end_retry" | "let_watch" | "unwatch" | "puzzle_next" | "puzzle_later" | "puzzle_harder" | "puzzle_easier" | "puzzle_choose";
  label: string;
  text: string;
  sure: string;
  turn: string;
}

export interface Open {
  type: "open";
  token: string;
  ticket?: string;
  code?: string;
  instance?: string;
  table?: number;
  state?: string;
  overlay?: boolean;
  puzzle?: boolean;
  analysis?: boolean;
}

export interface PairScored {
  first: number;
  second: number;
  rows: [number, number, number];
  scoop: number;
  majority: number;
  two_rows: number;
  total: number;
  royalties: number;
  instead: number;
  why: string;
  points: number;
  payer: number;
  owed: number;
  chips: number;
  paid: string;
}

export interface PastShown {
  table: number;
  hand: number;
  title: string;
  about: string;
  row_names: [string, string, string];
  steps: Step[];
  result: ResultShown;
  told: Line[];
  meanings: Line[];
  played: boolean;
  provable: boolean;
}

export interface PhraseSaid {
  table: number;
  name: string;
  phrase: "good_luck" | "nice_hand" | "wow" | "thanks" | "oops" | "thinking" | "no_hurry" | "good_game";
  type: "phrase";
}

export interface Ping {
  type: "ping";
}

export interface Pong {
  type: "pong";
}

export interface PositionAssembled {
  own: BoardAssembled;
  held: string[];
  opponents: BoardAssembled[];
}

export interface PuzzleChoices {
  title: string;
  told: string;
  later: string;
  theme: string;
  themes: PuzzleOption[];
  game: string;
  games: PuzzleOption[];
}

export interface PuzzleOption {
  key: string;
  label: string;
  chosen: boolean;
}

export interface PuzzlePlacementShown {
  name: string;
  own: string;
  letters: string;
  numbers: string[];
}

export interface PuzzleShown {
  solution: PuzzleSolved | null;
  off: string[];
}

export interface PuzzleSolved {
  right: boolean;
  title: string;
  numbers: string[];
  placements: PuzzlePlacementShown[];
  told: string[];
}

export interface Read {
  type: "read";
  id: string;
  what: "rules" | "past" | "review" | "file" | "record" | "link" | "invite" | "puzzles" | "analysis";
  table: number;
  hand?: number;
}

export interface ResultShown {
  hand: number;
  title: string;
  totals: string[];
  notes: string[];
  pairs: string[];
  duel: Duel | null;
}

export interface RowRules {
  decks: number;
  jokers: number;
  joker_may_copy: boolean;
  double_ace_flush: boolean;
  low_middle: boolean;
  strict: boolean;
  royalties: [Record<string, number>, Record<string, number>, Record<string, number>];
  wins: [Record<string, number>, Record<string, number>, Record<string, number>];
  fantasyland: FantasylandRules | null;
}

export interface SeatScored {
  royalties: [number, number, number];
  points: number;
  chips: number;
  fantasyland: number;
  stays: boolean;
  told: string;
}

export interface SeatShown {
  name: string;
  you: boolean;
  chips: string;
  dealer: boolean;
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
  computer: boolean;
  fantasyland: number;
  away: boolean;
  more: string;
}

export interface Snapshot {
  now: number;
  state: string;
  view: View;
  type: "snapshot";
}

export interface Step {
  title: string;
  seats: SeatShown[];
  value: Line[];
  better: Better | null;
}

export interface Suggested {
  letters: string;
  facts: string;
}

export interface TableChoice {
  table: number;
  title: string;
  waits: boolean;
  until: number | null;
  chosen: boolean;
  watch: boolean;
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
  watches: boolean;
  seatless: boolean;
  next_hand: number | null;
  past: number;
  event: EventShown | null;
  row_rules: RowRules | null;
  phrases: boolean;
  streets: number[];
  viewers: number;
  others: number;
  beside: BoardShown[];
  puzzle: PuzzleShown | null;
  analyses: boolean;
}

export interface WordsSent {
  language: string;
  words: Record<string, string>;
  cards: Record<string, string>;
  hands: Record<string, string>;
  type: "words";
}

export interface Working {
  id: string;
  type: "working";
}

export type Heard = Open | Look | Draft | Assemble | Intent | Read | Ping;

export type Sent = WordsSent | Snapshot | Change | Current | Drafted | Assembled | Working | Answer | Found | PhraseSaid | Pong | Bye;
