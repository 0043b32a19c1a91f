import type { Operation } from '../../contract/operation.ts';

/** One vehicle, as the service and the simulator's control API show it. */
export interface CandidateVehicle {
  readonly id: string;
  readonly telematics: 'box' | 'maker';
  /** Command capabilities, UPPER_SNAKE_CASE. */
  readonly capabilities: readonly string[];
  /** The fleet that it is shared with. */
  readonly sharedWith: string | undefined;
  /** 17 characters. */
  readonly vin: string;
  /** The simulator's name of the model: `petrol-compact` */
  readonly model: string;
  /** Undefined for a vehicle with its maker's telematics, like the rest. */
  readonly boxId: string | undefined;
  readonly installation: 'OBD' | 'HARDWIRED' | undefined;
  readonly generation: number | undefined;
  readonly hardwareRevision: number | undefined;
  /** `2.31` */
  readonly firmware: string | undefined;
  readonly simProvider: string | undefined;
}

/** Who makes a request, or which wrong token it has. */
export type Caller =
  | 'owner'
  | 'partner'
  /** A client of an unrelated fleet. */
  | 'stranger'
  | 'nobody'
  | 'unreadable'
  /** A valid token with a changed signature. */
  | 'forged'
  | 'expired'
  /** A client whose permissions give none of the scopes. */
  | 'without-scope'
  /** The same, for a client that may read vehicles. */
  | 'without-subscriptions'
  /** A client that lost its permissions after it got its token. */
  | 'without-permission'
  /** A client whose quota is used up. */
  | 'exhausted';

/** An answer of the service or of the control API. */
export interface StepAnswer {
  readonly status: number;
  /** The body as JSON; undefined when it is not JSON. */
  readonly body: unknown;
}

/**
 * One call that brings a cause about or undoes it. Texts may contain `{vehicle}` and other placeholders of
 * placeholder-values.ts.
 */
export interface CauseStep {
  /** What it does, one sentence. */
  readonly about: string;
  readonly on: 'api' | 'simulator';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Absent: always. */
  readonly when?: (vehicle: CandidateVehicle, operations: readonly Operation[]) => boolean;
  /**
   * The call is repeated until its answer satisfies this, within the bound of scenarios/limits.ts. Absent: one
   * call, which must be answered 2xx.
   */
  readonly until?: (seen: StepAnswer) => boolean;
  /** A refusal is accepted too: the vehicle may already be in that state. */
  readonly mayBeRefused?: true;
  /** A text of its answer that is kept for later steps and the request; `from` is its path: `items.0.id` */
  readonly keep?: { readonly name: string; readonly from: string };
  /** It is slow to answer: it is not awaited, and the call is repeated until the cause is undone. */
  readonly isRepeatedUntilUndone?: true;
}

/** How the request differs from one that succeeds. */
export interface RequestChange {
  readonly caller?: Caller;
  readonly isWrongMethod?: true;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A raw body with its media type. */
  readonly raw?: { readonly text: string; readonly type: string };
  readonly query?: string;
  /** Replaces the ids of vehicle and job in the path. */
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a vehicle needs so that the operation is not refused for another reason first. */
export type Prerequisite = 'capability' | 'firmware' | 'provider' | 'hardware';

/** A reason why requests are refused, and how to bring it about. */
export interface Cause {
  readonly name: string;
  /** The situation, one sentence. */
  readonly about: string;
  /**
   * What it changes, which nothing else may use at the same time. `nothing`: only the request differs. `shelf`: it
   * onboards a vehicle with a box in stock.
   */
  readonly reserves: 'nothing' | 'vehicle' | 'provider' | 'maker' | 'shelf' | 'service';
  /**
   * Why a vehicle does not fit, completing 'The vehicle ...'; undefined: it fits. Absent: every vehicle fits.
   */
  readonly unfitReason?: (vehicle: CandidateVehicle, operation: Operation) => string | undefined;
  /** Absent: all of them when `holds` is not `nothing`. */
  readonly prerequisites?: readonly Prerequisite[];
  /** Of several vehicles that fit, the one with the lowest number is chosen. */
  readonly rank?: (vehicle: CandidateVehicle) => number;
  readonly steps: readonly CauseStep[];
  readonly undoSteps: readonly CauseStep[];
  readonly requestChange?: (operation: Operation) => RequestChange;
  /** What the Problem's detail says. */
  readonly detail: RegExp;
  /** Each answer takes the full time that the service waits for a silent vehicle. */
  readonly isSlow?: true;
}
