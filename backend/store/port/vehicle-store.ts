import type { Generation } from '../../../protocol/message.ts';
import type { OutgoingMessage } from './outbox-store.ts';
import type { MakerLink, SetupStatus, Sim, Vehicle } from './stored-vehicle.ts';

/** What a SIM's provider has made of the card in a box. */
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
   * Onboards, or replaces what was onboarded under that vehicle id. The box's own knowledge stays, and so does the
   * vehicle's state unless the box is another one. Rejects with `BoxTaken`.
   */
  save(vehicle: NewVehicle): Promise<void>;
  find(vehicleId: string): Promise<Vehicle | undefined>;
  /** Puts a box into a fleet's stock, or replaces what was said of it; a vehicle that has it keeps it. */
  saveUnit(unit: StockUnit): Promise<void>;
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
  simActionDone(act: SimAction): Promise<void>;
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
