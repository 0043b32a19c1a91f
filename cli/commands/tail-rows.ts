import { dateTime } from '../../backend/base/date-time.ts';
import type { AmqpDelivery } from '../../world/amqp/amqp-consumer.ts';

/** Which messages are shown; an empty list: all. */
export interface TailFilter {
  readonly vehicles: readonly string[];
  /** Message names: `DamageDetected`. */
  readonly types: readonly string[];
}

/** The last known values of each vehicle, by vehicle and property, so that a row shows what changed. */
export type LastValues = Map<string, Map<string, string>>;

/** Vehicles whose last values are kept; beyond that everything counts as changed again. */
const KEPT_VEHICLES = 10_000;
const VALUE_CHARACTERS = 40;
const COLUMNS = { vehicle: 12, type: 22 } as const;
/** On a terminal narrower than this the columns leave no room for the changes: they are below the columns. */
const NARROW_COLUMNS = 80;
const NARROW_LINES = 3;
const NARROW_INDENT = '  ';

/** The part of a message's body that rows and filters read. Everything may be missing or of any type. */
interface MessageParts {
  readonly vehicleId: string | undefined;
  readonly name: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whether a message is to be shown. Total: a foreign body has neither vehicle nor type. */
export function isWanted(delivery: AmqpDelivery, { vehicles, types }: TailFilter): boolean {
  if (vehicles.length === 0 && types.length === 0) return true;
  const { vehicleId, name } = messagePartsOf(delivery);
  const isVehicle = vehicles.length === 0 || (vehicleId !== undefined && vehicles.includes(vehicleId));
  return isVehicle && (types.length === 0 || (name !== undefined && types.includes(name)));
}

/** The heading of the table for a terminal of this width, without a line break at its end. */
export function tableHead(width: number): string {
  if (width < NARROW_COLUMNS)
    return ['TIME VEHICLE TYPE', `${NARROW_INDENT}WHAT CHANGED ← BY WHAT`]
      .map((line) => cut(line, width))
      .join('\n');
  return `${'TIME'.padEnd(9)} ${'VEHICLE'.padEnd(COLUMNS.vehicle)} ${'TYPE'.padEnd(COLUMNS.type)} WHAT CHANGED, AND WHAT BROUGHT IT ABOUT`;
}

/**
 * A message as one row of a table, cut to `width` characters: time of arrival (UTC), vehicle, type, changes, trigger.
 * On a narrow terminal the last two are below the others, in some lines of that width. There is no line break at its
 * end. `last` is updated. Total; the output has no other control characters.
 */
export function tableRow(delivery: AmqpDelivery, arrivedMs: number, last: LastValues, width: number): string {
  const { vehicleId = '-', name = delivery.properties.type ?? '-', data } = messagePartsOf(delivery);
  const time = dateTime(arrivedMs).slice(11);
  const says = name === 'VehicleStateReceived' ? changes(vehicleId, data, last) : facts(data);
  const told = [says, ...(delivery.redelivered ? ['(again)'] : []), ...trigger(data)].join(' ');
  if (width < NARROW_COLUMNS) return narrowRow(`${time} ${vehicleId} ${name}`, told, width);
  const row = [time, vehicleId.padEnd(COLUMNS.vehicle), name.padEnd(COLUMNS.type), told].join(' ');
  return cut(plain(row), width);
}

/** The last of its lines is cut if the text does not fit. */
function narrowRow(head: string, told: string, width: number): string {
  const room = width - NARROW_INDENT.length;
  const lines: string[] = [''];
  for (const word of plain(told).split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || [...longer].length <= room || lines.length === NARROW_LINES)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const below = lines.filter((line) => line !== '').map((line) => NARROW_INDENT + cut(line, room));
  return [cut(plain(head), width), ...below].join('\n');
}

/**
 * A message as one line of JSON, without a line break: `arrived_at`, `queue`, `redelivered`, `properties`, `headers`,
 * and `body`; a body that is not JSON is in `body_base64`. Total; the output has no control characters.
 */
export function jsonLine(delivery: AmqpDelivery, arrivedMs: number): string {
  const { messageId, type, timestampS, contentType, deliveryMode } = delivery.properties;
  const body = parsed(delivery.body);
  const line = {
    arrived_at: dateTime(arrivedMs),
    queue: delivery.queue,
    redelivered: delivery.redelivered,
    properties: {
      message_id: messageId,
      type,
      timestamp: timestampS,
      content_type: contentType,
      delivery_mode: deliveryMode,
      exchange: delivery.exchange,
      routing_key: delivery.routingKey,
    },
    headers: delivery.headers,
    ...(body === undefined
      ? { body: null, body_base64: Buffer.from(delivery.body).toString('base64') }
      : { body: body.value }),
  };
  const text = JSON.stringify(line, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  // JSON does not escape these, and a terminal may interpret them; they can only occur in strings.
  return text.replaceAll(UNSAFE, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Control characters, line and paragraph separators, and those that change the direction of text. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function plain(text: string): string {
  return text.replaceAll(UNSAFE, '·');
}

function cut(text: string, width: number): string {
  const characters = [...text];
  if (characters.length <= width) return text.trimEnd();
  return `${characters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}

function messagePartsOf(delivery: AmqpDelivery): MessageParts {
  const body = record(parsed(delivery.body)?.value);
  const data = record(body['data']);
  const type = record(body['metadata'])['message_type'] ?? delivery.properties.type;
  const vehicleId = data['vehicle_id'];
  return {
    vehicleId: typeof vehicleId === 'string' ? vehicleId : undefined,
    name: typeof type === 'string' ? type.slice(type.lastIndexOf('.') + 1) : undefined,
    data,
  };
}

function changes(vehicleId: string, data: Readonly<Record<string, unknown>>, last: LastValues): string {
  const state = Object.entries(record(data['vehicle_state']));
  if (state.length === 0) return 'contact without data';
  let known = last.get(vehicleId);
  if (known === undefined) {
    const [oldest] = last.keys();
    if (last.size >= KEPT_VEHICLES && oldest !== undefined) last.delete(oldest);
    known = new Map();
    last.set(vehicleId, known);
  }
  const changed: string[] = [];
  for (const [name, property] of state) {
    const value = short(record(property)['value']);
    if (known.get(name) === value) continue;
    known.set(name, value);
    changed.push(`${name}=${value}`);
  }
  return changed.length === 0 ? `${state.length} properties as before` : changed.join(' ');
}

/** In the other columns, or irrelevant at a glance. */
const ELSEWHERE = ['vehicle_id', 'fleet_id', 'received_at', 'triggered_by', 'samples'];

/** The content of another message: of a change only what has changed. */
function facts(data: Readonly<Record<string, unknown>>): string {
  const { changed } = data;
  const names = Array.isArray(changed)
    ? changed.map(String)
    : Object.keys(data).filter((name) => !ELSEWHERE.includes(name));
  return names.map((name) => `${name}=${short(data[name])}`).join(' ');
}

function trigger(data: Readonly<Record<string, unknown>>): readonly string[] {
  const { channel } = record(data['triggered_by']);
  return typeof channel === 'string' ? [`← ${channel}`] : [];
}

function short(value: unknown): string {
  if (value === undefined) return '?';
  const { lat, lon } = record(value);
  if (typeof lat === 'number' && typeof lon === 'number') return `${lat},${lon}`;
  return cut(typeof value === 'string' ? value : JSON.stringify(value), VALUE_CHARACTERS);
}

function parsed(body: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
