/** A kind of weather, or of a break. */
export interface FaultWord {
  /** `weather`, or the part that breaks: `broker`. */
  readonly of: string;
  readonly name: string;
  readonly does: string;
  /** As a step of a scenario has it: `{ "weather": { "signal": 9 } }`. */
  readonly example: unknown;
  /** It needs boxes that it befalls. */
  readonly isOfBoxes: boolean;
  /** It goes on until it is lifted, or its `for` is over. */
  readonly lasts: boolean;
  /** Why it cannot be had here; absent: it can. */
  readonly unavailable?: string;
}

/** One that is in force. */
export interface FaultInForce {
  readonly id: string;
  /** As it was asked for, without `on` and `for`. */
  readonly fault: unknown;
  /** Box ids; empty: it is of a part that all share. */
  readonly boxes: readonly string[];
  readonly sinceMs: number;
  /** Absent: until it is lifted. */
  readonly untilMs?: number;
}

/** What became of one that was asked for. */
export type FaultAnswer =
  | { readonly kind: 'in-force'; readonly fault: FaultInForce }
  /** It has happened, and nothing of it lasts. */
  | { readonly kind: 'happened' }
  /** `detail`: what is wrong with it, where, and what to do. */
  | { readonly kind: 'wrong'; readonly detail: string };

/** Weather and breaks of the scenario language on what runs, handed in by whoever knows that language. */
export interface FaultPort {
  words(): Promise<readonly FaultWord[]>;
  inForce(): Promise<readonly FaultInForce[]>;
  /** `boxIds`: whom it befalls; undefined: all. `wish`: `{ weather | break, for }`. */
  begin(boxIds: readonly string[] | undefined, wish: Readonly<Record<string, unknown>>): Promise<FaultAnswer>;
  /** `missed`: why it never struck. Undefined: there is none of that id. */
  lift(id: string): Promise<{ readonly missed?: string } | undefined>;
}
