import type { Generation } from '../../protocol/message.ts';
import type { MakerLink, SetupStatus, Sim } from './vehicle-store.ts';

/** A box that a fleet has, in a vehicle or on the shelf. */
export interface Unit {
  readonly boxId: string;
  readonly fleetId: string;
  readonly boxSecretHash: string;
  readonly generation: Generation;
  readonly sim: Sim | undefined;
}

export interface StockedUnit extends Unit {
  /** Absent: on the shelf. */
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
