import { z } from 'zod';
import {
  EVENT_MESSAGES,
  type EventRow,
  type FieldRow,
  type FieldRows,
  MESSAGES,
  type MessageName,
  type MessageRow,
  messageType,
} from '../../contract/messages.ts';
import { unitOf } from '../../contract/units.ts';
import type { Measured, MeasuredEventName, MeasuredPart, Side } from '../../protocol/measured.ts';
import { MEASURED_EVENTS } from '../../protocol/measured.ts';
import { dateTime } from '../base/date-time.ts';
import type { OutgoingMessage } from '../store/port/outbox-store.ts';
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

/** What a message says of an event, whichever feature detected it. */
const SHARED = {
  vehicle_id: vehicleId,
  fleet_id: fleetId,
  occurred_at: occurredAt,
  received_at: receivedAt,
  position: position
    .optional()
    .describe('Where the vehicle was when it was detected; absent: the position was not known.'),
};

/** The schema of a message about events of features. */
export function featureMessage(name: MessageName): z.ZodType {
  const { version, about, events = {}, data = '' }: MessageRow = MESSAGES[name];
  const kinds = Object.values(events).map(eventSchema);
  const [only] = kinds;
  return z
    .looseObject({
      metadata: metadata(name, version),
      data:
        kinds.length === 1 && only !== undefined
          ? only
          : z.discriminatedUnion('kind', kinds as [z.ZodObject, ...z.ZodObject[]]).describe(data),
    })
    .describe(about);
}

function eventSchema({ kind, about, fields }: EventRow): z.ZodObject {
  const [word, meaning = ''] = kind ?? [];
  return z
    .looseObject({
      ...SHARED,
      ...(word === undefined ? {} : { kind: z.literal(word).describe(meaning) }),
      ...fieldSchemas(fields),
    })
    .describe(about);
}

function fieldSchemas(fields: FieldRows): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, row]) => [name, fieldSchema(name, row)]));
}

function fieldSchema(name: string, row: FieldRow): z.ZodType {
  const { about } = row;
  if (row.shape === 'word') return openWord(row.words, about);
  if (row.shape === 'list') return z.array(z.looseObject(fieldSchemas(row.of))).describe(about);
  const unit = unitOf(name);
  const number = row.shape === 'whole' ? wholeNumber : z.number();
  return (row.minimum === undefined ? number : number.min(row.minimum)).meta({
    description: `${about} In ${unit}.`,
    'x-unit': unit,
  });
}

type Described = Readonly<Record<string, unknown>>;

/** The fields for each part of a measurement. */
const FIELDS: { readonly [Part in MeasuredPart]: (measured: NonNullable<Measured[Part]>) => Described } = {
  crash: (crash) => ({
    acceleration_in_mg: crash.peakMg,
    duration_in_milliseconds: crash.durationMs,
    direction: upper(crash.direction),
    data_gathering_duration_in_milliseconds: crash.gatheredMs,
    samples: crash.samples.map(([along, across]) => ({
      longitudinal_acceleration_in_mg: along,
      lateral_acceleration_in_mg: across,
    })),
  }),
  braking: (braking) => ({
    longitudinal_acceleration_in_mg: braking.peakMg,
    duration_in_milliseconds: braking.durationMs,
    speed_before_in_kph: tenths(braking.speedBeforeKph),
    speed_after_in_kph: tenths(braking.speedAfterKph),
  }),
  cornering: (cornering) => ({
    lateral_acceleration_in_mg: cornering.peakMg,
    duration_in_milliseconds: cornering.durationMs,
    speed_in_kph: tenths(cornering.speedKph),
    bend: upper(cornering.bend),
  }),
  towing: (towing) => ({
    distance_in_meters: towing.distanceM,
    tilt_in_degrees: tenths(towing.tiltDegrees),
  }),
  shock: (shock) => ({
    acceleration_in_mg: shock.peakMg,
    duration_in_milliseconds: shock.durationMs,
    direction: upper(shock.direction),
  }),
  damage: (damage) => ({
    strength_in_mg: damage.strengthMg,
    sensitivity: damage.sensitivity.toUpperCase(),
    side: upper(damage.side),
  }),
  smoke: (smoke) => ({
    particle_concentration_in_micrograms_per_cubic_meter: smoke.concentrationUgPerM3,
    duration_in_seconds: Math.floor(smoke.durationMs / 1_000),
  }),
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

/** A measurement, as a message reports it. */
export interface FeatureEvent {
  /** The message's name: `DamageDetected`. */
  readonly name: MessageName;
  readonly occurredMs: number;
  readonly position: { readonly lat: number; readonly lon: number } | undefined;
  readonly data: Described;
}

/**
 * The measurement of a box's event, in the form of the message; undefined: the event has none, or an incomplete one.
 * `notedMs`: the time of its record.
 */
export function featureEvent(
  event: string,
  measured: Measured | undefined,
  notedMs: number,
): FeatureEvent | undefined {
  if (measured === undefined || !isMeasured(event)) return undefined;
  const { agoMs, place } = measured;
  const what = described(event, MEASURED_EVENTS[event], measured);
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
  event: MeasuredEventName,
  part: Part,
  measured: Measured,
): Pick<FeatureEvent, 'name' | 'data'> | undefined {
  const value = measured[part];
  if (value === undefined) return undefined;
  const { message, row } = EVENT_MESSAGES[event];
  const fields = FIELDS[part](value as NonNullable<Measured[Part]>);
  return { name: message, data: row.kind === undefined ? fields : { kind: row.kind[0], ...fields } };
}

/** The vehicle of the event, and the ids of its message. */
export interface FeatureMessageFacts {
  readonly messageId: string;
  readonly flowId: string;
  readonly createdMs: number;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly partition: number;
  readonly receivedMs: number;
}

/** The published message. */
export function writeFeatureEvent(facts: FeatureMessageFacts, event: FeatureEvent): OutgoingMessage {
  const { messageId, flowId, createdMs, vehicleId, fleetId, partition } = facts;
  const { name } = event;
  const { version } = MESSAGES[name];
  const body = {
    metadata: {
      message_id: messageId,
      message_type: messageType(name),
      occurred_at: dateTime(createdMs),
      version,
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
    version,
    flowId,
    createdMs,
    body: JSON.stringify(body),
  };
}
