import type { Operation } from './operations.ts';

/** One vehicle, as the service and the simulator's control face show it together. */
export interface Candidate {
  readonly id: string;
  readonly telematics: 'box' | 'maker';
  /** Command capabilities, UPPER_SNAKE_CASE. */
  readonly capabilities: readonly string[];
  /** The fleet that it is shared with. */
  readonly sharedWith: string | undefined;
  /** 17 characters. */
  readonly vin: string;
  /** By the simulator's name: `petrol-compact` */
  readonly model: string;
  /** What follows is undefined for a vehicle with its maker's telematics. */
  readonly boxId: string | undefined;
  readonly installation: 'OBD' | 'HARDWIRED' | undefined;
  readonly generation: number | undefined;
  readonly hardwareRevision: number | undefined;
  /** `2.31` */
  readonly firmware: string | undefined;
  readonly simProvider: string | undefined;
}

/** In whose name a request is made, or with what in place of a right token. */
export type Caller =
  | 'owner'
  | 'partner'
  /** Of a fleet that has nothing to do with the vehicle. */
  | 'stranger'
  | 'nobody'
  | 'unreadable'
  /** A right token with another signature. */
  | 'forged'
  | 'expired'
  /** A client whose permissions lead to none of the scopes. */
  | 'without-scope'
  /** The same, of a client that may read vehicles. */
  | 'without-subscriptions'
  /** A client that has lost its permissions since it got its token. */
  | 'without-permission'
  /** A client that has used its quota up. */
  | 'exhausted';

/** An answer of either face. */
export interface Seen {
  readonly status: number;
  /** JSON, or undefined where the body is none. */
  readonly body: unknown;
}

/** One call that brings a cause about or takes it back. Texts may hold `{vehicle}` and other values of values.ts. */
export interface Step {
  /** What happens by it, one sentence. */
  readonly says: string;
  readonly on: 'api' | 'simulator';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Absent: always. */
  readonly when?: (vehicle: Candidate, operations: readonly Operation[]) => boolean;
  /** It is called until its answer is so, within limits.ts. Absent: once, and a status of 2xx is right. */
  readonly until?: (seen: Seen) => boolean;
  /** The vehicle may be so already: a refusal is right, too. */
  readonly mayBeRefused?: true;
  /** A text of its answer that later steps and the request need; `from`: `items.0.id` */
  readonly keeps?: { readonly name: string; readonly from: string };
  /** Its answer takes long. It is not waited for, and it is called again and again until the cause is undone. */
  readonly isHeld?: true;
}

/** How the request differs from a right one. */
export interface Twist {
  readonly caller?: Caller;
  readonly isWrongMethod?: true;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body as it stands, with its media type. */
  readonly raw?: { readonly text: string; readonly type: string };
  readonly query?: string;
  /** In place of the vehicle's id and of a job's. */
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What must be right with a vehicle for an operation to come as far as the cause. */
export type Passing = 'capability' | 'firmware' | 'provider' | 'hardware';

/** Why a request is refused, and how to bring that about. */
export interface Cause {
  readonly name: string;
  /** What is so then, one sentence. */
  readonly says: string;
  /**
   * What nobody else may touch meanwhile. `nothing`: only the request is different. `shelf`: it makes a vehicle of its
   * own from a box on the shelf.
   */
  readonly holds: 'nothing' | 'vehicle' | 'provider' | 'maker' | 'shelf' | 'service';
  /** Why a vehicle does not fit, completing 'The vehicle ...'; undefined: it fits. Absent: any does. */
  readonly unfit?: (vehicle: Candidate, operation: Operation) => string | undefined;
  /** Absent: all of them where it holds something. */
  readonly passes?: readonly Passing[];
  /** Of several that fit the one with the lowest number is taken. */
  readonly rank?: (vehicle: Candidate) => number;
  readonly bring: readonly Step[];
  readonly undo: readonly Step[];
  readonly twist?: (operation: Operation) => Twist;
  /** What the Problem's detail says. */
  readonly detail: RegExp;
  /** Each answer takes as long as a silent vehicle is waited for. */
  readonly isSlow?: true;
}
