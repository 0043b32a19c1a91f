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

/** Whether one has struck, as far as that is known. */
export interface FaultStrikes {
  readonly struck: 'yes' | 'no' | 'not known';
  /** How often, where that is counted. */
  readonly times?: number;
  /** Completes "it has struck when ...". */
  readonly strikesWhen: string;
  /** Why it is not known, in a sentence. */
  readonly because?: string;
}

/** What was asked for. */
interface AskedFault {
  /** As it was asked for, without `on` and `for`. */
  readonly fault: unknown;
  /** Box ids; empty: it is of a part that all share. */
  readonly boxes: readonly string[];
  readonly sinceMs: number;
}

/** One that is in force, and whether it has struck so far. */
export interface FaultInForce extends AskedFault, FaultStrikes {
  readonly id: string;
  /** Absent: until it is lifted. */
  readonly untilMs?: number;
}

/** One that has ended, and whether it struck. */
export interface EndedFault extends AskedFault, FaultStrikes {
  /** Absent: it was over as soon as it had happened. */
  readonly id?: string;
  readonly endedMs: number;
  /** Why it never struck; absent: it did, or that is not known. */
  readonly missed?: string;
}

/** What became of one that was asked for. */
export type FaultAnswer =
  | { readonly kind: 'in-force'; readonly fault: FaultInForce }
  /** It has happened, and nothing of it lasts. */
  | { readonly kind: 'happened'; readonly fault: EndedFault }
  /** `detail`: what is wrong with it, where, and what to do. */
  | { readonly kind: 'wrong'; readonly detail: string };

/** Weather and breaks of the scenario language on what runs, handed in by whoever knows that language. */
export interface FaultPort {
  words(): Promise<readonly FaultWord[]>;
  inForce(): Promise<readonly FaultInForce[]>;
  /** The latest that have ended, the last one first. */
  ended(): Promise<readonly EndedFault[]>;
  /** `boxIds`: whom it befalls; undefined: all. `wish`: `{ weather | break, for }`. */
  begin(boxIds: readonly string[] | undefined, wish: Readonly<Record<string, unknown>>): Promise<FaultAnswer>;
  /** Resolves with what it has met. Undefined: there is none of that id. */
  lift(id: string): Promise<EndedFault | undefined>;
}
