import type { Generation } from '../protocol/message.ts';
import type { SettingName } from '../protocol/settings.ts';

/**
 * The simulated providers of SIM cards. The first supports everything, each of the others lacks something.
 */
export const SIM_PROVIDER_NAMES = ['meridian', 'harbour', 'tundra'] as const;

export type SimProviderName = (typeof SIM_PROVIDER_NAMES)[number];

/**
 * How realistic the radio of a box is. `ideal`: connection, processor and motors take no time, a receiver has
 * its first fix immediately, and there is a network everywhere. `road`: all of these as in reality.
 */
export const RADIO_SETTINGS = ['road', 'ideal'] as const;
export type RadioSetting = (typeof RADIO_SETTINGS)[number];

export const MQTT_SESSIONS = ['clean', 'persistent'] as const;
export type MqttSessionKind = (typeof MQTT_SESSIONS)[number];

/** One virtual vehicle and its box. */
export interface BoxPlan {
  /** 16 hex digits */
  readonly boxId: string;
  readonly secret: string;
  /** Empty: the box is in stock, its vehicle has no record yet. */
  readonly vehicleId: string;
  readonly generation: Generation;
  readonly firmware: readonly [major: number, minor: number];
  readonly hardwareRevision: number;
  readonly model: string;
  /** Of a route that is known by this name; where on it the vehicle starts, 0 to 1. */
  readonly route: string;
  readonly startFraction: number;
  readonly driving: boolean;
  readonly vin: string;
  readonly licensePlate: string;
  /** The card in the box: who it is of, and its 19 digits (ITU-T E.118). */
  readonly sim: { readonly provider: string; readonly iccid: string };
  /** Settings that are in force until the first configuration comes, where they differ from the standard. */
  readonly factorySettings?: Readonly<Partial<Record<SettingName, number>>>;
  /** Room in the journal; absent: `limits.journalRecords`. */
  readonly journalRecords?: number;
  /** Whether the broker keeps the session of the box while it is away (MQTT 3.1.1 section 3.1.2.4); absent: `clean`. */
  readonly mqttSession?: MqttSessionKind;
  /** How true to the road link, motors and receiver are; absent: `ideal`. */
  readonly radio?: RadioSetting;
}
