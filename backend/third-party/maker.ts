import type { CommandName } from '../../protocol/commands.ts';
import type { PropertyName } from '../vehicles/properties.ts';

/** A vehicle maker whose cloud stands in place of a box. A new maker is a new file with one of these. */
export interface Maker {
  /** kebab-case, as in `MakerLink.name`, the settings and the path of notifications. */
  readonly name: string;
  /** The vehicle models of protocol/models/maker-models.ts that it makes, by name. */
  readonly models: Readonly<Record<string, MakerModel>>;
  /** What its cloud can have a vehicle do, by the maker's own words. What is not here is not supported. */
  readonly commands: Readonly<Partial<Record<CommandName, string>>>;
  /** Error codes that say more than that something failed. */
  readonly meanings: Readonly<Partial<Record<string, Meaning>>>;
  /** What its readings say, in the neutral properties and units. */
  readonly rows: readonly TranslationRow[];
  readonly wire: MakerWire;
}

/** What of its maker's words one model has. */
export interface MakerModel {
  /** Commands that the maker offers for others only. */
  readonly lacksCommands: readonly CommandName[];
  readonly lacksProperties: readonly PropertyName[];
}

/**
 * - `unknown-vehicle`: the maker has none of that identifier;
 * - `moving`: the vehicle is in a state that forbids the command; nothing was done;
 * - `out-of-reach`: the maker could not reach the vehicle; nothing was done.
 */
export type Meaning = 'unknown-vehicle' | 'moving' | 'out-of-reach';

/** How to talk to a cloud, and how to read what it says. Readers are total. */
export interface MakerWire {
  /** The header of the key, and that of a notification's signature; lower case. */
  readonly keyHeader: string;
  readonly signatureHeader: string;
  statePath(vehicleId: string): string;
  action(vehicleId: string, word: string): { readonly path: string; readonly body: unknown };
  subscription(url: string, secret: string): { readonly path: string; readonly body: unknown };
  readState(body: unknown): Read<MakerState>;
  readActionAnswer(body: unknown): Read<MakerState>;
  readNotification(body: unknown): Read<MakerState>;
  /** What an error body says; undefined: it is none of this maker. */
  readError(body: unknown): { readonly code: string; readonly text: string } | undefined;
}

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  /** What is wrong with it and where, for people. */
  | { readonly ok: false; readonly fault: string };

/** What a maker tells of a vehicle at one time. */
export interface MakerState {
  readonly vehicleId: string;
  /** By the maker's clock. Of two states of a vehicle the later one has the higher time. */
  readonly takenMs: number;
  readonly reading: Readonly<Record<string, unknown>>;
}

/** Where something stands in a reading: `place.latMicro`. */
export type Place = string;

/** One property of the vehicle state from a reading. A place that is missing or null yields no property. */
export type TranslationRow =
  /** `value × factor + offset`, in the property's unit. */
  | {
      readonly read: 'number';
      readonly property: PropertyName;
      readonly from: Place;
      readonly factor: number;
      readonly offset?: number;
    }
  /** One of the maker's words; another word means nothing. */
  | {
      readonly read: 'word';
      readonly property: PropertyName;
      readonly from: Place;
      readonly words: Readonly<Record<string, string | boolean>>;
    }
  /** Two numbers that are degrees once multiplied. */
  | {
      readonly read: 'position';
      readonly property: 'position';
      readonly latitude: Place;
      readonly longitude: Place;
      readonly factor: number;
    }
  /** The one traction battery, as `port_1`; it is told only where all of its parts are. */
  | {
      readonly read: 'drive-battery';
      readonly property: 'drive_batteries';
      readonly serial: Place;
      readonly parts: Readonly<Record<BatteryPart, NumberPlace>>;
    };

export type BatteryPart =
  | 'level_in_percent'
  | 'charge_cycles'
  | 'average_temperature_in_degrees_celsius'
  | 'voltage_in_volts';

export interface NumberPlace {
  readonly from: Place;
  readonly factor: number;
  readonly offset?: number;
  readonly decimals: number;
}
