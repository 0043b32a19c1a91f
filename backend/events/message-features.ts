import { z } from 'zod';
import type { Measured, MeasuredEventName, MeasuredPart, Side } from '../../protocol/measured.ts';
import { MEASURED_EVENTS } from '../../protocol/measured.ts';
import { dateTime } from '../http/date-time.ts';
import type { OutgoingMessage } from '../store/port/outbox-store.ts';
import { messageType } from './message.ts';
import {
  fleetId,
  metadata,
  occurredAt,
  position,
  receivedAt,
  vehicleId,
  wholeNumber,
} from './message-parts.ts';
import { openWord } from './vehicle-state.ts';

/** The messages of features, which are published beside the vehicle state of the same record. */
const VERSION = '1.0.0';

const share = {
  vehicle_id: vehicleId,
  fleet_id: fleetId,
  occurred_at: occurredAt,
  received_at: receivedAt,
  position: position
    .optional()
    .describe('Where the vehicle was when it was detected; absent: the position was not known.'),
};
/** A measured amount; its unit is the one that its name ends with. */
const amount = (unit: string, description: string) =>
  wholeNumber.min(0).meta({ description: `${description} In ${unit}.`, 'x-unit': unit });
const signed = (unit: string, description: string) =>
  wholeNumber.meta({ description: `${description} In ${unit}.`, 'x-unit': unit });
const decimal = (unit: string, description: string) =>
  z
    .number()
    .min(0)
    .meta({ description: `${description} In ${unit}.`, 'x-unit': unit });
const side = (description: string) => openWord(['FRONT', 'REAR', 'LEFT', 'RIGHT'], description);
const kind = <Word extends string>(word: Word, description: string) => z.literal(word).describe(description);

export const damageDetected = z
  .looseObject({
    metadata: metadata('DamageDetected', VERSION),
    data: z
      .looseObject({
        ...share,
        strength_in_mg: amount('mg', 'The strength of the sound in the body.'),
        sensitivity: openWord(['LOW', 'MEDIUM', 'HIGH'], 'The sensitivity that was in force.'),
        side: side('The side of the vehicle that was struck, as its driver sees it.'),
      })
      .describe('Which vehicle was struck, when, where and how hard.'),
  })
  .describe('An impact on the body reached the configured sensitivity.');

export const smokeDetected = z
  .looseObject({
    metadata: metadata('SmokeDetected', VERSION),
    data: z
      .looseObject({
        ...share,
        particle_concentration_in_micrograms_per_cubic_meter: amount('µg/m³', 'The highest concentration.'),
        duration_in_seconds: amount('s', 'How long it had been above the threshold.'),
      })
      .describe('In which vehicle, when, where, and at which concentration.'),
  })
  .describe('Particles in the cabin reached the configured concentration for the configured duration.');

export const drivingEventDetected = z
  .looseObject({
    metadata: metadata('DrivingEventDetected', VERSION),
    data: z
      .discriminatedUnion('kind', [
        z
          .looseObject({
            ...share,
            kind: kind('CRASH', 'It was a crash.'),
            acceleration_in_mg: amount('mg', 'The strongest acceleration.'),
            duration_in_milliseconds: amount('ms', 'How long the impact lasted.'),
            direction: side('The side of the vehicle that was struck, as its driver sees it.'),
            data_gathering_duration_in_milliseconds: amount(
              'ms',
              'How long accelerations were recorded, from the beginning of the crash.',
            ),
            samples: z
              .array(
                z.looseObject({
                  longitudinal_acceleration_in_mg: signed('mg', 'Along the vehicle, forward is positive.'),
                  lateral_acceleration_in_mg: signed('mg', 'Across the vehicle, to the right is positive.'),
                }),
              )
              .describe('That time in equal parts: the strongest accelerations in each.'),
          })
          .describe('A crash, with the accelerations that were recorded.'),
        z
          .looseObject({
            ...share,
            kind: kind('HEAVY_BRAKING', 'It was heavy braking.'),
            longitudinal_acceleration_in_mg: amount('mg', 'The strongest acceleration along the vehicle.'),
            duration_in_milliseconds: amount('ms', 'How long it lasted.'),
            speed_before_in_kph: decimal('km/h', 'The speed before it.'),
            speed_after_in_kph: decimal('km/h', 'The speed after it.'),
          })
          .describe('Heavy braking.'),
        z
          .looseObject({
            ...share,
            kind: kind('HARSH_CORNERING', 'It was harsh cornering.'),
            lateral_acceleration_in_mg: amount('mg', 'The strongest acceleration across the vehicle.'),
            duration_in_milliseconds: amount('ms', 'How long it lasted.'),
            speed_in_kph: decimal('km/h', 'The speed in the bend.'),
            bend: openWord(['LEFT', 'RIGHT'], 'The direction of the bend.'),
          })
          .describe('Harsh cornering.'),
      ])
      .describe('Which vehicle, when, where, and what was measured: by kind. Later releases may add kinds.'),
  })
  .describe('A crash, heavy braking or harsh cornering.');

export const parkingEventDetected = z
  .looseObject({
    metadata: metadata('ParkingEventDetected', VERSION),
    data: z
      .discriminatedUnion('kind', [
        z
          .looseObject({
            ...share,
            kind: kind('TOWING', 'It is towed.'),
            distance_in_meters: amount('m', 'How far from where it was left.'),
            tilt_in_degrees: decimal('°', 'The angle by which it was tilted.'),
          })
          .describe('The vehicle is towed or lifted.'),
        z
          .looseObject({
            ...share,
            kind: kind('SHOCK', 'It was struck.'),
            acceleration_in_mg: amount('mg', 'The strongest acceleration.'),
            duration_in_milliseconds: amount('ms', 'How long the impact lasted.'),
            direction: side('The side of the vehicle that was struck, as its driver sees it.'),
          })
          .describe('The vehicle was struck.'),
      ])
      .describe('Which vehicle, when, where, and what was measured: by kind. Later releases may add kinds.'),
  })
  .describe('The parked vehicle is towed, or was struck.');

type Described = Readonly<Record<string, unknown>>;

interface Row<Part extends MeasuredPart> {
  readonly name: string;
  readonly describe: (measured: NonNullable<Measured[Part]>) => Described;
}

/** Which message each part of a measurement becomes, and what it says there. */
const ROWS: { readonly [Part in MeasuredPart]: Row<Part> } = {
  crash: {
    name: 'DrivingEventDetected',
    describe: (crash) => ({
      kind: 'CRASH',
      acceleration_in_mg: crash.peakMg,
      duration_in_milliseconds: crash.durationMs,
      direction: upper(crash.direction),
      data_gathering_duration_in_milliseconds: crash.gatheredMs,
      samples: crash.samples.map(([along, across]) => ({
        longitudinal_acceleration_in_mg: along,
        lateral_acceleration_in_mg: across,
      })),
    }),
  },
  braking: {
    name: 'DrivingEventDetected',
    describe: (braking) => ({
      kind: 'HEAVY_BRAKING',
      longitudinal_acceleration_in_mg: braking.peakMg,
      duration_in_milliseconds: braking.durationMs,
      speed_before_in_kph: tenths(braking.speedBeforeKph),
      speed_after_in_kph: tenths(braking.speedAfterKph),
    }),
  },
  cornering: {
    name: 'DrivingEventDetected',
    describe: (cornering) => ({
      kind: 'HARSH_CORNERING',
      lateral_acceleration_in_mg: cornering.peakMg,
      duration_in_milliseconds: cornering.durationMs,
      speed_in_kph: tenths(cornering.speedKph),
      bend: upper(cornering.bend),
    }),
  },
  towing: {
    name: 'ParkingEventDetected',
    describe: (towing) => ({
      kind: 'TOWING',
      distance_in_meters: towing.distanceM,
      tilt_in_degrees: tenths(towing.tiltDegrees),
    }),
  },
  shock: {
    name: 'ParkingEventDetected',
    describe: (shock) => ({
      kind: 'SHOCK',
      acceleration_in_mg: shock.peakMg,
      duration_in_milliseconds: shock.durationMs,
      direction: upper(shock.direction),
    }),
  },
  damage: {
    name: 'DamageDetected',
    describe: (damage) => ({
      strength_in_mg: damage.strengthMg,
      sensitivity: damage.sensitivity.toUpperCase(),
      side: upper(damage.side),
    }),
  },
  smoke: {
    name: 'SmokeDetected',
    describe: (smoke) => ({
      particle_concentration_in_micrograms_per_cubic_meter: smoke.concentrationUgPerM3,
      duration_in_seconds: Math.floor(smoke.durationMs / 1_000),
    }),
  },
};

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function millionths(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}

function upper(side: Side): string {
  return side.toUpperCase();
}

/** What was measured, told by a message. */
export interface FeatureEvent {
  /** The message's name: `DamageDetected`. */
  readonly name: string;
  readonly occurredMs: number;
  readonly position: { readonly lat: number; readonly lon: number } | undefined;
  readonly data: Described;
}

/**
 * What an event of a box measured, in the form of the message; undefined: the event measures nothing, or lacks what it
 * should have measured. `notedMs`: the time of its record.
 */
export function featureEvent(
  event: string,
  measured: Measured | undefined,
  notedMs: number,
): FeatureEvent | undefined {
  if (measured === undefined || !isMeasured(event)) return undefined;
  const { agoMs, place } = measured;
  const what = described(MEASURED_EVENTS[event], measured);
  if (what === undefined) return undefined;
  return {
    ...what,
    occurredMs: Math.max(0, notedMs - agoMs),
    position:
      place === undefined ? undefined : { lat: millionths(place.latitude), lon: millionths(place.longitude) },
  };
}

function isMeasured(event: string): event is MeasuredEventName {
  return Object.hasOwn(MEASURED_EVENTS, event);
}

function described<Part extends MeasuredPart>(
  part: Part,
  measured: Measured,
): Pick<FeatureEvent, 'name' | 'data'> | undefined {
  const value = measured[part];
  const row: Row<Part> = ROWS[part];
  return value === undefined
    ? undefined
    : { name: row.name, data: row.describe(value as NonNullable<Measured[Part]>) };
}

/** Whose event it was, and with which ids its message goes out. */
export interface FeatureMessageFacts {
  readonly messageId: string;
  readonly flowId: string;
  readonly createdMs: number;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly partition: number;
  readonly receivedMs: number;
}

/** The message as it goes out. */
export function writeFeatureEvent(facts: FeatureMessageFacts, event: FeatureEvent): OutgoingMessage {
  const { messageId, flowId, createdMs, vehicleId, fleetId, partition } = facts;
  const { name } = event;
  const body = {
    metadata: {
      message_id: messageId,
      message_type: messageType({ name }),
      occurred_at: dateTime(createdMs),
      version: VERSION,
      flow_id: flowId,
    },
    data: {
      vehicle_id: vehicleId,
      fleet_id: fleetId,
      occurred_at: dateTime(event.occurredMs),
      received_at: dateTime(facts.receivedMs),
      ...(event.position === undefined ? {} : { position: event.position }),
      ...event.data,
    },
  };
  return {
    messageId,
    vehicleId,
    fleetId,
    partition,
    name,
    version: VERSION,
    flowId,
    createdMs,
    body: JSON.stringify(body),
  };
}
