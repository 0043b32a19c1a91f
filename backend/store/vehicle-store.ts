import type { Generation } from '../../protocol/message.ts';
import type { CreatedVehicle, NewVehicle, StockedUnit, Unit, VehicleChange } from './onboarding.ts';
import type { OutgoingMessage } from './outbox-store.ts';

/** What a SIM's provider has made of the card in a box. */
export interface CardAct {
  readonly boxId: string;
  readonly made: 'suspended' | 'active' | 'detached';
  /** The counter of the connection that was open when the provider was asked. */
  readonly connection: number | undefined;
  readonly atMs: number;
}

/** The box of a vehicle that is to be saved belongs to another vehicle. */
export class BoxTaken extends Error {
  override readonly name = 'BoxTaken';
}

export type SetupStatus = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';

/** A vehicle and its telematics, as they were onboarded and as they have told since. Box or maker, never both. */
export interface Vehicle {
  readonly id: string;
  readonly fleetId: string;
  /** undefined: the vehicle has third-party telematics. */
  readonly boxId: string | undefined;
  /** Where its maker's cloud stands in place of a box. */
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
  /** Why the setup stands as it does, where there is something to say. */
  readonly setupDetail: string;
  /** Rises with each change of what its owner can change; the ETag is made of it. Reports do not raise it. */
  readonly revision: number;
  /** Name of a row of protocol/models. */
  readonly model: string;
  readonly setupStatus: SetupStatus;
  readonly masterData: Readonly<Record<string, string | number | null>>;
  readonly tags: readonly string[];
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** Of a vehicle without a box: one that has told nothing but its last contact. */
  readonly box: BoxRecord;
  readonly state: VehicleState;
}

/** A vehicle with a box. */
export type BoxVehicle = Vehicle & { readonly boxId: string };

/** A value and since when it is so. */
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
  /** Name of a row of backend/connectivity/providers.ts. */
  readonly provider: string;
  /** 19 or 20 digits (ITU-T E.118). */
  readonly iccid: string;
}

/** What the backend knows of a box. `undefined`: it has never told. */
export interface BoxRecord {
  readonly generation: Generation;
  readonly firmware: readonly [major: number, minor: number] | undefined;
  readonly hardwareRevision: number | undefined;
  /** The highest connection counter seen, and whether that connection stands; undefined: not known. */
  readonly connection: Connection | undefined;
  /** Set by going-down and by a hello until ready; the time until which the box counts as not ready. */
  readonly notReadyUntilMs: number | undefined;
  readonly lastContactMs: number | undefined;
  readonly journal: JournalPosition;
  /** How alive it was when this record last changed; absent: nothing was heard of it. */
  readonly life?: Life;
  /** How often it reports at rest, as it has confirmed; absent: the standard. */
  readonly standbyReportS?: number;
  /** Since when the service has its card suspended; absent: it is not, or the box has connected since. */
  readonly simSuspendedMs?: number;
}

export type LifeStatusValue = 'ONLINE' | 'STANDBY' | 'OFFLINE';

/** How alive a vehicle is, and since when. */
export interface Life {
  readonly value: LifeStatusValue;
  readonly sinceMs: number;
}

export interface Connection {
  readonly counter: number;
  readonly open: boolean;
}

export interface JournalPosition {
  /** Of the journal that the box writes now; 0: it has never told. Epochs are names: their numbers have no order. */
  readonly epoch: number;
  /** Epochs that ended with a wiped flash, the newest first; only so many are kept. */
  readonly past?: readonly number[];
  /** All of 1 to this sequence are stored (or given up by the box). */
  readonly contiguous: number;
  /** Stored beyond it: rising, not touching, both ends included. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /** The sequence at which the box was set up in its vehicle: what stands before it tells nothing of the vehicle. */
  readonly setUpAt?: number;
  /** What the box's last hello said of its journal, until all that it held then is stored. */
  readonly claim?: JournalClaim;
}

/** The box holds nothing below `lowestHeld`, and had written nothing from `nextSequence` on. */
export interface JournalClaim {
  readonly lowestHeld: number;
  readonly nextSequence: number;
}

/** By property name of the vehicle state, with the record that said it (twin rule). */
export type VehicleState = Readonly<Record<string, StateProperty>>;
export interface StateProperty {
  readonly timestampMs: number;
  /** null: that record said that there is none any more, which no earlier one takes back. */
  readonly value: unknown;
  readonly epoch: number;
  readonly sequence: number;
  /** The value as JSON, where it was made for something else already. */
  readonly json?: string;
}

export interface VehicleStore {
  /**
   * Onboards, or replaces what was onboarded under that vehicle id. The box's own knowledge stays, and so does the
   * vehicle's state unless the box is another one. Rejects with `BoxTaken`.
   */
  save(vehicle: NewVehicle): Promise<void>;
  find(vehicleId: string): Promise<Vehicle | undefined>;
  /** Puts a box into a fleet's stock, or replaces what was said of it; a vehicle that has it keeps it. */
  saveUnit(unit: Unit): Promise<void>;
  findUnit(boxId: string): Promise<StockedUnit | undefined>;
  /**
   * Onboards to a box of the fleet's stock or to a maker's vehicle. Nothing is written unless `created`. `vin-taken`:
   * another vehicle of the fleet has that VIN.
   */
  create(
    vehicle: CreatedVehicle,
  ): Promise<'created' | 'id-taken' | 'unit-unknown' | 'unit-taken' | 'maker-vehicle-taken' | 'vin-taken'>;
  /**
   * Changes what its owner can change, raises the revision, and answers the vehicle as it is then. With
   * `expectedRevision`: only where the vehicle still has that one. `vin-taken`: another vehicle of the fleet has the
   * VIN that this one was to get. Where it is changed, `messages` go out with it.
   */
  change(
    vehicleId: string,
    change: VehicleChange,
    expectedRevision: number | undefined,
    atMs: number,
    messages?: readonly OutgoingMessage[],
  ): Promise<Vehicle | 'modified' | 'missing' | 'vin-taken'>;
  /** Writes down what the provider of a box's card has done, and what follows from it for connection and life status. */
  cardActed(act: CardAct): Promise<void>;
  /**
   * Offboards: the vehicle and its state are gone, its box is in the fleet's stock again, and what bulk jobs have
   * pending for it has failed. Not one that is shared.
   * With `expectedRevision`: only where the vehicle still has that one.
   */
  remove(
    vehicleId: string,
    expectedRevision?: number,
  ): Promise<'removed' | 'missing' | 'modified' | 'shared'>;
  /** By id, rising, of the fleet's own and those shared with it; `afterId` from a page token. `search` matches id, VIN, plate, name and box id. */
  list(query: {
    readonly fleetId: string;
    readonly afterId: string | undefined;
    readonly limit: number;
    readonly search: string | undefined;
    readonly tag: string | undefined;
    readonly operationStatus?: Vehicle['operationStatus']['value'] | undefined;
  }): Promise<readonly Vehicle[]>;
}
