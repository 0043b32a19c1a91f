import type { Generation } from '../../../protocol/message.ts';
import type { OutgoingMessage } from './outbox-store.ts';
import type { FoundVehicle, ListedVehicle, MakerLink, SetupStatus, Sim, Vehicle } from './stored-vehicle.ts';

/** The state of a box's card after a request to its SIM's provider. */
export interface SimAction {
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

/** A box that a fleet has, in a vehicle or in stock. */
export interface StockUnit {
  readonly boxId: string;
  readonly fleetId: string;
  readonly boxSecretHash: string;
  readonly generation: Generation;
  readonly sim: Sim | undefined;
}

export interface StockedUnit extends StockUnit {
  /** Absent: in stock. */
  readonly vehicleId: string | undefined;
}

/** A maker's vehicle that a fleet has, linked to a vehicle or in stock. */
export interface MakerUnit {
  readonly link: MakerLink;
  readonly fleetId: string;
}

export interface CreatedVehicle {
  readonly id: string;
  readonly fleetId: string;
  readonly telematics: { readonly boxId: string } | { readonly maker: MakerLink };
  /** Name of a row of protocol/models. */
  readonly model: string;
  readonly setupStatus: SetupStatus;
  readonly masterData: Readonly<Record<string, string | number | null>>;
  readonly customFields: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  /** Absent: the maintenance capabilities are not booked. */
  readonly maintenance?: boolean;
  readonly atMs: number;
}

/** What is absent stays. */
export interface VehicleChange {
  readonly masterData?: Readonly<Record<string, string | number | null>>;
  readonly customFields?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  readonly operationStatus?: 'OPERATING' | 'GARAGE';
  readonly rentalStatus?: 'IN_RENTAL' | 'NOT_IN_RENTAL';
  readonly maintenance?: boolean;
  /** null: not shared any more. */
  readonly sharedWith?: string | null;
}

/** A vehicle that comes with its box. */
export interface NewVehicle {
  readonly id: string;
  readonly fleetId: string;
  readonly boxId: string;
  readonly sim?: Sim;
  readonly boxSecretHash: string;
  readonly generation: Generation;
  readonly model: string;
  readonly setupStatus: SetupStatus;
  readonly masterData: Readonly<Record<string, string | number | null>>;
  readonly tags: readonly string[];
  /** Absent: the maintenance capabilities are not booked. */
  readonly maintenance?: boolean;
  readonly atMs: number;
}

export interface VehicleStore {
  /**
   * Onboards, or replaces what was onboarded under that vehicle id. What the box reported stays, and so does the
   * vehicle's state unless the box is another one. Rejects with `BoxTaken`.
   */
  save(vehicle: NewVehicle): Promise<void>;
  find(vehicleId: string): Promise<FoundVehicle | undefined>;
  /** Puts a box into a fleet's stock, or replaces its data; a vehicle that has it keeps it. */
  saveUnit(unit: StockUnit): Promise<void>;
  findUnit(boxId: string): Promise<StockedUnit | undefined>;
  /** Puts a maker's vehicle into a fleet's stock. One that is linked stays in the stock of its vehicle's fleet. */
  saveMakerUnit(unit: MakerUnit): Promise<void>;
  /** Undefined: it is in no fleet's stock. */
  findMakerUnit(link: MakerLink): Promise<MakerUnit | undefined>;
  /**
   * Onboards to a box or a maker's vehicle of the fleet's stock. Nothing is written unless `created`. `unit-unknown`,
   * `maker-vehicle-unknown`: it is not in the fleet's stock. `vin-taken`: another vehicle of the fleet has that VIN.
   */
  create(
    vehicle: CreatedVehicle,
  ): Promise<
    | 'created'
    | 'id-taken'
    | 'unit-unknown'
    | 'unit-taken'
    | 'maker-vehicle-unknown'
    | 'maker-vehicle-taken'
    | 'vin-taken'
  >;
  /**
   * Changes what its owner can change, raises the revision, and returns the resulting vehicle. With `expectedRevision`:
   * only if the vehicle still has that one. `vin-taken`: another vehicle of the fleet has the requested VIN. `messages`
   * are written with the change.
   */
  change(
    vehicleId: string,
    change: VehicleChange,
    expectedRevision: number | undefined,
    atMs: number,
    messages?: readonly OutgoingMessage[],
  ): Promise<FoundVehicle | 'modified' | 'missing' | 'vin-taken'>;
  /** Stores what the provider of a box's card has done, and its effect on connection and life status. */
  simActionDone(act: SimAction): Promise<void>;
  /**
   * Offboards: the vehicle and its state are gone, its box or maker's vehicle is in the fleet's stock again, and what
   * bulk jobs have pending for it has failed. Not for a shared one. With `expectedRevision`: only if the vehicle still
   * has that one.
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
  }): Promise<readonly ListedVehicle[]>;
}
