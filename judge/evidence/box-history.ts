import type { BluetoothAction, BluetoothToken } from '../../protocol/bluetooth.ts';

/**
 * What one box did and stored, and what was done to it, during a run. Each list is in the order of time, in epoch
 * milliseconds of true time.
 */
export interface BoxHistory {
  readonly phones: readonly PhoneQuestion[];
  readonly moves: readonly OutputMove[];
  readonly connects: readonly ConnectAttempt[];
  readonly memories: readonly BoxMemory[];
  readonly acts: readonly PerformedAct[];
  /** The records that a full journal gave up. */
  readonly evictions: readonly JournalEviction[];
  /** False: the recording was full, and the oldest part is missing. Then a missing entry proves nothing. */
  readonly isWhole: boolean;
}

/** A phone near the vehicle sent a request to its box. */
export interface PhoneQuestion {
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly action: BluetoothAction;
  readonly token: PhoneToken;
  readonly outcome: 'done' | 'refused' | 'hindered' | 'failed' | 'silent';
  readonly detail: string;
}

/** The token of a phone, as recorded by its issuer. */
export interface PhoneToken extends BluetoothToken {
  readonly issuedMs: number;
  readonly isGenuine: boolean;
  /** Undefined: it was not withdrawn before the question. */
  readonly withdrawnMs?: number;
}

/** An output of the box moved a part, or tried to. */
export interface OutputMove {
  readonly atMs: number;
  readonly part: string;
  readonly to: boolean;
  /** The previous state of the part; undefined: lights and horn. */
  readonly before: boolean | undefined;
  readonly isAccepted: boolean;
  readonly speedKph: number;
}

/** The box began to connect to its broker. */
export interface ConnectAttempt {
  readonly atMs: number;
  /** Its connection counter. */
  readonly connection: number;
}

/** The state in a box's memory from then on. Unchanged objects are identical. */
export interface BoxMemory {
  readonly atMs: number;
  readonly power: 'off' | 'booting' | 'up' | 'dead' | 'installing' | 'asleep';
  readonly hangs: boolean;
  readonly boot: number;
  readonly epoch: number;
  readonly connection: number;
  readonly isWorkshop: boolean;
  readonly knowsTime: boolean;
  readonly isSettingUp: boolean;
  readonly configuration: {
    readonly revision: number;
    readonly values: Readonly<Record<string, number>>;
  };
  /** The activation of damage detection that was calibrated last; 0: none. */
  readonly calibrated: number;
  readonly tokens: {
    readonly sinceMs: number;
    readonly tokens: readonly {
      readonly id: string;
      readonly expiresMs: number;
      readonly used: number;
      readonly isWithdrawn: boolean;
    }[];
  };
  /** The phase of its last update over the air; undefined: it was never offered one. */
  readonly update: string | undefined;
  /** How that ended; undefined: it has not ended. */
  readonly updateOutcome: string | undefined;
}

/**
 * A step in which a journal gave up records, or accepted none. Sequences are of records that it held before the step.
 */
export interface JournalEviction {
  readonly atMs: number;
  /** How many records did not fit, and are lost. */
  readonly refused: number;
  /** How many records it should have held by then before one is given up, and the most that it held around the step. */
  readonly room: number;
  readonly held: number;
  /** How many reports, and how many events, accesses and replies. */
  readonly reports: number;
  readonly others: number;
  /** The oldest of each before the step; undefined: there was none. */
  readonly oldestReport: number | undefined;
  readonly oldestOther: number | undefined;
  /** The oldest of each that it still held afterwards. */
  readonly heldReport: number | undefined;
  readonly heldOther: number | undefined;
}

/** Something that the scenario did to the vehicle. */
export interface PerformedAct {
  readonly atMs: number;
  readonly name: string;
  readonly settings: unknown;
  /** Why it was not possible. */
  readonly refusal?: string;
}
