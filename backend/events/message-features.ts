import { z } from 'zod';
import type { Measured, MeasuredEventName, MeasuredPart, Side } from '../../protocol/measured.ts';
import { MEASURED_EVENTS } from '../../protocol/measured.ts';
import { dateTime } from '../http/date-time.ts';
import type { OutgoingMessage } from '../store/outbox-store.ts';
import { messageType } from './message.ts';
import { metadata, position, shortId, wholeNumber } from './message-parts.ts';
import { wholeSecond } from './vehicle-state.ts';

/** The messages of features, which are told beside the vehicle state of the same record. */
const VERSION = '1.0.0';

const share = {
  vehicle_id: shortId,
  fleet_id: shortId,
  /** When it began. */
  occurred_at: wholeSecond,
  received_at: wholeSecond,
  /** Where the vehicle was then; absent: the telematics unit did not know. */
  position: position.optional(),
};
const side = z.enum(['FRONT', 'REAR', 'LEFT', 'RIGHT']);
const acceleration = wholeNumber.min(0);
const duration = wholeNumber.min(0);

export const damageDetected = z.looseObject({
  metadata: metadata('DamageDetected', VERSION),
  data: z.looseObject({
    ...share,
    strength_in_mg: acceleration,
    sensitivity: z.enum(['LOW', 'MEDIUM', 'HIGH']),
    side,
  }),
});

export const smokeDetected = z.looseObject({
  metadata: metadata('SmokeDetected', VERSION),
  data: z.looseObject({
    ...share,
    particle_concentration_in_micrograms_per_cubic_meter: wholeNumber.min(0),
    duration_in_seconds: wholeNumber.min(0),
  }),
});

export const drivingEventDetected = z.looseObject({
  metadata: metadata('DrivingEventDetected', VERSION),
  data: z.discriminatedUnion('kind', [
    z.looseObject({
      ...share,
      kind: z.literal('CRASH'),
      acceleration_in_mg: acceleration,
      duration_in_milliseconds: duration,
      direction: side,
      data_gathering_duration_in_milliseconds: duration,
      samples: z.array(
        z.looseObject({
          longitudinal_acceleration_in_mg: wholeNumber,
          lateral_acceleration_in_mg: wholeNumber,
        }),
      ),
    }),
    z.looseObject({
      ...share,
      kind: z.literal('HEAVY_BRAKING'),
      longitudinal_acceleration_in_mg: acceleration,
      duration_in_milliseconds: duration,
      speed_before_in_kph: z.number().min(0),
      speed_after_in_kph: z.number().min(0),
    }),
    z.looseObject({
      ...share,
      kind: z.literal('HARSH_CORNERING'),
      lateral_acceleration_in_mg: acceleration,
      duration_in_milliseconds: duration,
      speed_in_kph: z.number().min(0),
      bend: z.enum(['LEFT', 'RIGHT']),
    }),
  ]),
});

export const parkingEventDetected = z.looseObject({
  metadata: metadata('ParkingEventDetected', VERSION),
  data: z.discriminatedUnion('kind', [
    z.looseObject({
      ...share,
      kind: z.literal('TOWING'),
      distance_in_meters: wholeNumber.min(0),
      tilt_in_degrees: z.number().min(0),
    }),
    z.looseObject({
      ...share,
      kind: z.literal('SHOCK'),
      acceleration_in_mg: acceleration,
      duration_in_milliseconds: duration,
      direction: side,
    }),
  ]),
});

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
  readonly says: Described;
}

/**
 * What an event of a box measured, ready to be told; undefined: the event measures nothing, or lacks what it should
 * have measured. `notedMs`: the time of its record.
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
): Pick<FeatureEvent, 'name' | 'says'> | undefined {
  const value = measured[part];
  const row: Row<Part> = ROWS[part];
  return value === undefined
    ? undefined
    : { name: row.name, says: row.describe(value as NonNullable<Measured[Part]>) };
}

/** Whose event it was, and with which ids its message goes out. */
export interface FeatureTold {
  readonly messageId: string;
  readonly flowId: string;
  readonly createdMs: number;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly receivedMs: number;
}

/** The message as it goes out. */
export function writeFeatureEvent(told: FeatureTold, event: FeatureEvent): OutgoingMessage {
  const { messageId, flowId, createdMs, vehicleId, fleetId } = told;
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
      received_at: dateTime(told.receivedMs),
      ...(event.position === undefined ? {} : { position: event.position }),
      ...event.says,
    },
  };
  return {
    messageId,
    vehicleId,
    fleetId,
    name,
    version: VERSION,
    flowId,
    createdMs,
    body: JSON.stringify(body),
  };
}
