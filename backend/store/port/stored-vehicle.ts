import type { Generation } from '../../../protocol/message.ts';

export type SetupStatus = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';

/** A vehicle and its telematics, as they were onboarded and as they have reported since. Box or maker, never both. */
export interface Vehicle {
  readonly id: string;
  readonly fleetId: string;
  /** undefined: the vehicle has third-party telematics. */
  readonly boxId: string | undefined;
  /** Present if the vehicle has its maker's cloud in place of a box. */
  readonly maker: MakerLink | undefined;
  /** The card in the box; undefined without a box, or where its provider is not known. */
  readonly sim: Sim | undefined;
  /** The fleet that it is shared with at present. */
  readonly sharedWith: string | undefined;
  readonly customFields: Readonly<Record<string, string>>;
  readonly operationStatus: Since<'OPERATING' | 'GARAGE'>;
  readonly rentalStatus: Since<'IN_RENTAL' | 'NOT_IN_RENTAL'>;
  /** Whether the maintenance capabilities are booked: without that their properties are absent everywhere. */
  readonly maintenance: boolean;
  /** The reason for the setup status, if there is one. */
  readonly setupDetail: string;
  /** Rises with each change by its owner; the ETag is derived from it. Reports do not raise it. */
  readonly revision: number;
  /** Name of a row of protocol/models. */
  readonly model: string;
  readonly setupStatus: SetupStatus;
  readonly masterData: Readonly<Record<string, string | number | null>>;
  readonly tags: readonly string[];
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** For a vehicle without a box: a box record that contains only the last contact. */
  readonly box: BoxRecord;
  readonly state: VehicleState;
}

/** A vehicle with its state as it is stored, of which answers are joined: `takeStoredValues`. */
export type FoundVehicle = Vehicle & { readonly stateText: string };

/** What a list has of a vehicle: not its state, nor the position in its box's journal. */
export type ListedVehicle = Omit<Vehicle, 'box' | 'state'> & { readonly box: ListedBox };

/** A vehicle with a box. */
export type BoxVehicle = Vehicle & { readonly boxId: string };

/** A value and the time since which it applies. */
export interface Since<T extends string> {
  readonly value: T;
  readonly modifiedMs: number;
}

/** A vehicle as its maker's cloud knows it. */
export interface MakerLink {
  /** Name of a row of backend/third-party/makers.ts. */
  readonly name: string;
  /** The maker's own identifier. */
  readonly vehicleId: string;
}

export interface Sim {
  /** Name of a row of contract/sim-providers.ts. */
  readonly provider: string;
  /** 19 or 20 digits (ITU-T E.118). */
  readonly iccid: string;
}

/** What is stored about a box. `undefined`: never reported. */
export interface BoxRecord {
  readonly generation: Generation;
  readonly firmware: readonly [major: number, minor: number] | undefined;
  readonly hardwareRevision: number | undefined;
  /** The highest connection counter seen, and whether that connection is open; undefined: not known. */
  readonly connection: BoxConnection | undefined;
  /** Set by going-down and by a hello until ready; the time until which the box counts as not ready. */
  readonly notReadyUntilMs: number | undefined;
  readonly lastContactMs: number | undefined;
  readonly journal: JournalPosition;
  /** Its life status when this record last changed; absent: it has never been in contact. */
  readonly life?: LifeStatus;
  /** How often it reports at rest, as it has confirmed; absent: the standard. */
  readonly standbyReportS?: number;
  /** Since when the service has its card suspended; absent: it is not, or the box has connected since. */
  readonly simSuspendedMs?: number;
}

/** What a list has of a box. */
export type ListedBox = Omit<BoxRecord, 'journal'>;

export type LifeStatusValue = 'ONLINE' | 'STANDBY' | 'OFFLINE';

/** The life status of a vehicle, and since when. */
export interface LifeStatus {
  readonly value: LifeStatusValue;
  readonly sinceMs: number;
}

export interface BoxConnection {
  readonly counter: number;
  readonly open: boolean;
}

export interface JournalPosition {
  /** Of the journal that the box writes now; 0: never reported. Epochs are names: their numbers have no order. */
  readonly epoch: number;
  /** Epochs that ended with a wiped flash, the newest first; their number is bounded. */
  readonly past?: readonly number[];
  /** The positions of the journals of past epochs, the newest first: a box may continue one of them. */
  readonly left?: readonly LeftJournal[];
  /**
   * A past epoch of which the box has sent hellos since `sinceMs`, without a frame of the current epoch. Absent: none.
   */
  readonly returning?: { readonly epoch: number; readonly sinceMs: number };
  /** All of 1 to this sequence are stored (or given up by the box). */
  readonly contiguous: number;
  /** Stored beyond it: rising, not touching, both ends included. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /**
   * The sequence at which the box was set up in its vehicle: earlier records do not concern this vehicle. 0: all do.
   * Absent: it is not set up, or that is not known.
   */
  readonly setUpAt?: number;
  /** What the box's last hello reported of its journal, until all that it held then is stored. */
  readonly claim?: JournalClaim;
  /** When the box sent its last `ready`, by its own clock. Absent: none came, or the box did not know the time. */
  readonly readySent?: SentAt;
}

/** The position of a journal when another one replaced it. `setUpAt` refers to the current vehicle of the box. */
export type LeftJournal = Pick<JournalPosition, 'epoch' | 'contiguous' | 'ranges' | 'setUpAt'>;

/** When a box sent a frame: its boot, and its clock in epoch milliseconds. */
export interface SentAt {
  readonly boot: number;
  readonly clockMs: number;
}

/** The box holds nothing below `lowestHeld`, and had written nothing from `nextSequence` on. */
export interface JournalClaim {
  readonly lowestHeld: number;
  readonly nextSequence: number;
}

/** By property name of the vehicle state, with the record that reported it (twin rule). */
export type VehicleState = Readonly<Record<string, StateProperty>>;

export interface StateProperty {
  readonly timestampMs: number;
  /** null: that record reported that there is none any more, which no earlier one reverts. */
  readonly value: unknown;
  readonly epoch: number;
  readonly sequence: number;
  /** The value as JSON, if that was already made. */
  readonly json?: string;
}
