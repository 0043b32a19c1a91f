import type { PropertyName } from '../../contract/properties.ts';
import type { CommandName, VehicleCommandName } from '../../protocol/commands.ts';

/** A vehicle maker whose cloud replaces a box. A new maker is a new file with one of these. */
export interface Maker {
  /** kebab-case, as in `MakerLink.name`, the settings and the path of notifications. */
  readonly name: string;
  /** The vehicle models of protocol/models/maker-models.ts that it makes, by name. */
  readonly models: Readonly<Record<string, MakerModel>>;
  /** The name of each command in the maker's cloud; undefined: the cloud does not support it. */
  readonly commands: Readonly<Record<VehicleCommandName, string | undefined>>;
  /** Error codes with a specific meaning. */
  readonly meanings: Readonly<Partial<Record<string, MakerErrorMeaning>>>;
  /** The translation of its readings into the neutral properties and units. */
  readonly rows: readonly TranslationRow[];
  readonly api: MakerApi;
}

/** What one model supports of its maker's interface. */
export interface MakerModel {
  /** Commands that the maker offers only for other models. */
  readonly lacksCommands: readonly CommandName[];
  readonly lacksProperties: readonly PropertyName[];
}

/**
 * - `unknown-vehicle`: the maker has no vehicle of that identifier;
 * - `moving`: the vehicle is in a state that forbids the command; nothing was done;
 * - `out-of-reach`: the maker could not reach the vehicle; nothing was done.
 */
export type MakerErrorMeaning = 'unknown-vehicle' | 'moving' | 'out-of-reach';

/** How to call a cloud, and how to read its answers. Readers are total. */
export interface MakerApi {
  /** The header of the key, and that of a notification's signature; lower case. */
  readonly keyHeader: string;
  readonly signatureHeader: string;
  statePath(vehicleId: string): string;
  action(vehicleId: string, makerCommand: string): { readonly path: string; readonly body: unknown };
  subscription(url: string, secret: string): { readonly path: string; readonly body: unknown };
  readState(body: unknown): MakerReadResult<MakerState>;
  readActionAnswer(body: unknown): MakerReadResult<MakerState>;
  readNotification(body: unknown): MakerReadResult<MakerState>;
  /** Reads an error body; undefined: it does not have this maker's form. */
  readError(body: unknown): { readonly code: string; readonly text: string } | undefined;
}

export type MakerReadResult<T> =
  | { readonly ok: true; readonly value: T }
  /** The error and its place, for people. */
  | { readonly ok: false; readonly fault: string };

/** A maker's state of a vehicle at one time. */
export interface MakerState {
  readonly vehicleId: string;
  /** By the maker's clock. Of two states of a vehicle the later one has the higher time. */
  readonly takenMs: number;
  readonly reading: Readonly<Record<string, unknown>>;
}

/** The path of a value in a reading: `place.latMicro`. */
export type ReadingPath = string;

/** One property of the vehicle state from a reading. A value that is missing or null yields no property. */
export type TranslationRow =
  /** `value × factor + offset`, in the property's unit. */
  | {
      readonly read: 'number';
      readonly property: PropertyName;
      readonly from: ReadingPath;
      readonly factor: number;
      readonly offset?: number;
    }
  /** One of the maker's words; an unknown word yields nothing. */
  | {
      readonly read: 'word';
      readonly property: PropertyName;
      readonly from: ReadingPath;
      readonly words: Readonly<Record<string, string | boolean>>;
    }
  /** Two numbers that are degrees after multiplication. */
  | {
      readonly read: 'position';
      readonly property: 'position';
      readonly latitude: ReadingPath;
      readonly longitude: ReadingPath;
      readonly factor: number;
    }
  /** The one traction battery, as `port_1`; present only with all of its parts. */
  | {
      readonly read: 'drive-battery';
      readonly property: 'drive_batteries';
      readonly serial: ReadingPath;
      readonly parts: Readonly<Record<BatteryPart, ReadingNumber>>;
    };

export type BatteryPart =
  | 'level_in_percent'
  | 'charge_cycles'
  | 'average_temperature_in_degrees_celsius'
  | 'voltage_in_volts';

export interface ReadingNumber {
  readonly from: ReadingPath;
  readonly factor: number;
  readonly offset?: number;
  readonly decimals: number;
}
