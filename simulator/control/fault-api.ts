/** A kind of weather or of a failure. */
export interface FaultWord {
  /** `weather`, or the part that fails: `broker`. */
  readonly of: string;
  readonly name: string;
  readonly does: string;
  /** As a step of a scenario has it: `{ "weather": { "signal": 9 } }`. */
  readonly example: unknown;
  /** It needs target boxes. */
  readonly isOfBoxes: boolean;
  /** It lasts until it is removed, or its `for` is over. */
  readonly lasts: boolean;
  /** Why it is unavailable here; absent: it is available. */
  readonly unavailable?: string;
}

/** Whether one has had an effect, as far as that is known. */
export interface FaultEffect {
  readonly struck: 'yes' | 'no' | 'not known';
  /** How often, where that is counted. */
  readonly times?: number;
  /** Completes "it has an effect when ...". */
  readonly strikesWhen: string;
  /** Why that is not known, in a sentence. */
  readonly because?: string;
}

/** The request. */
interface AskedFault {
  /** As requested, without `on` and `for`. */
  readonly fault: unknown;
  /** Box ids; empty: it affects a part that all share. */
  readonly boxes: readonly string[];
  readonly sinceMs: number;
}

/** An active fault, and whether it has had an effect so far. */
export interface FaultInForce extends AskedFault, FaultEffect {
  readonly id: string;
  /** Absent: until it is removed. */
  readonly untilMs?: number;
}

/** One that has ended, and whether it had an effect. */
export interface EndedFault extends AskedFault, FaultEffect {
  /** Absent: it was instantaneous. */
  readonly id?: string;
  readonly endedMs: number;
  /** Why it had no effect; absent: it had one, or that is not known. */
  readonly missed?: string;
}

/** The result of a request. */
export type FaultAnswer =
  | { readonly kind: 'in-force'; readonly fault: FaultInForce }
  /** It was instantaneous. */
  | { readonly kind: 'happened'; readonly fault: EndedFault }
  /** `detail`: the error, its place, and what to do. */
  | { readonly kind: 'wrong'; readonly detail: string };

/** Weather and failures of the scenario language for the running parts, passed in by the assembly. */
export interface FaultPort {
  words(): Promise<readonly FaultWord[]>;
  inForce(): Promise<readonly FaultInForce[]>;
  /** The latest that have ended, the last one first. */
  ended(): Promise<readonly EndedFault[]>;
  /** `boxIds`: the affected boxes; undefined: all. `wish`: `{ weather | break, for }`. */
  begin(boxIds: readonly string[] | undefined, wish: Readonly<Record<string, unknown>>): Promise<FaultAnswer>;
  /** Resolves with its effects. Undefined: there is none of that id. */
  lift(id: string): Promise<EndedFault | undefined>;
}
