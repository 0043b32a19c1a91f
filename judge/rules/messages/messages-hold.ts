import { EVENT_MESSAGES, MESSAGES, type MessageRow, messageType } from '../../../contract/messages.ts';
import type { MeasuredEventName } from '../../../protocol/measured.ts';
import type { EventName } from '../../../protocol/message.ts';
import type { AnsweredCall, QueuedMessage, RecordedFrame } from '../../evidence/evidence.ts';
import { ALL_FRAME_KINDS } from '../../recordings.ts';
import { RunTimes } from '../answers/run-times.ts';
import type { Checker, CheckScope } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { messagesPastMissingQueues } from '../missing-queues.ts';
import { allMessages } from '../queue-messages.ts';
import { LateMessages } from './late-messages.ts';

const STATE = 'VehicleStateReceived';
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The body of a message, as far as it is read here. */
interface MessageParts {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, unknown>> & {
    readonly vehicle_state?: Readonly<Record<string, unknown>>;
    readonly triggered_by?: { readonly channel?: unknown; readonly correlation_id?: unknown };
  };
}

/** The record that a message reports: its frame, and when the service stored it. */
interface SourceRecord {
  readonly key: string;
  readonly storedMs: number;
  readonly frame: RecordedFrame | undefined;
  /** The message with its state: when it was written, in whole seconds. */
  readonly written?: unknown;
}

/**
 * Compares messages with the records that they report, as recorded on the wire (docs/messages.md, Times): ids, name and
 * version in the metadata; received when the record was stored; no property of another time than the record's, and none
 * of later than its receipt; an event of a feature has its message if its state has one, and occurred when it began by
 * the clock of the box; a phone is named by its token; and none is delayed without a fault.
 */
export const messagesHold: Checker = async (scope) => {
  const findings = new Findings();
  const { evidence } = scope;
  const records = await recordsByMessage(scope);
  const late = new LateMessages();
  const flows = new Map<string, SourceRecord>();
  const told = new Set<string>();
  let count = 0;
  const features: QueuedMessage[] = [];
  for await (const page of allMessages(evidence)) {
    for (const message of page) {
      count += 1;
      const parts = message.body as MessageParts;
      judgeMetadata(message, parts, findings);
      if (message.name === STATE) {
        const record = records.get(message.messageId);
        if (record === undefined) continue;
        const { flow_id: flowId, occurred_at: written } = parts.metadata ?? {};
        flows.set(String(flowId), { ...record, written });
        judgeState(message, parts, record, findings);
        late.note(message, record);
      } else if (message.name !== 'VehicleDataChanged') features.push(message);
    }
  }
  late.judge(new RunTimes(scope), findings);
  // A message of a feature follows the one of its state, which may be in another queue.
  for (const message of features) {
    const record = flows.get(String((message.body as MessageParts).metadata?.['flow_id']));
    if (record === undefined) continue;
    told.add(record.key);
    judgeFeature(message, record, findings);
  }
  const { waiting } = await evidence.messageFates([]);
  const calls = await evidence.calls();
  judgeUntold(scope, { flows, told, waiting: new Set([...waiting.values()].map(secondOf)), calls }, findings);
  return findings.result([[count, 'message']]);
};

/** The records of all boxes, by the id of the message with their state. */
async function recordsByMessage({ evidence, vehicles }: CheckScope): Promise<Map<string, SourceRecord>> {
  const records = new Map<string, SourceRecord>();
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    const frames = new Map<string, RecordedFrame>();
    for await (const page of evidence.frames(vehicle, ALL_FRAME_KINDS))
      for (const frame of page) {
        const key = `${vehicle.boxId}/${frame.epoch}/${frame.sequence}`;
        if (frame.direction === 'up' && frame.sequence > 0 && !frames.has(key)) frames.set(key, frame);
      }
    for await (const page of evidence.records(vehicle))
      for (const { key, storedMs, messageIds } of page)
        for (const id of messageIds) records.set(id, { key, storedMs, frame: frames.get(key) });
  }
  return records;
}

function judgeMetadata(
  message: QueuedMessage,
  { metadata = {}, data = {} }: MessageParts,
  findings: Findings,
) {
  const { messageId, name, atMs, vehicleId, queue } = message;
  const wanted: readonly (readonly [property: string, told: unknown, right: unknown])[] = [
    ['message_id', metadata['message_id'], messageId],
    ['message_type', metadata['message_type'], messageType(name)],
    ['version', metadata['version'], (MESSAGES as Readonly<Record<string, MessageRow>>)[name]?.version],
    ['vehicle_id', data['vehicle_id'], vehicleId],
  ];
  const what = `message ${messageId} (${name}) of vehicle ${vehicleId} in ${queue}`;
  for (const [property, told, right] of wanted)
    if (told !== right)
      findings.add(
        'metadata that is not so',
        `${what}: ${property} is ${String(told)}, not ${String(right)}`,
        {
          atMs,
        },
      );
  const made = metadata['occurred_at'];
  if (made !== undefined && !isBetween(made, Number.NEGATIVE_INFINITY, atMs))
    findings.add('metadata that is not so', `${what}: it was made at ${String(made)}, later than it came`, {
      atMs,
    });
}

function judgeState(
  { messageId, vehicleId, atMs }: QueuedMessage,
  { data = {} }: MessageParts,
  { key, storedMs, frame }: SourceRecord,
  findings: Findings,
): void {
  const what = `message ${messageId} of vehicle ${vehicleId}, record ${key}`;
  const { received_at: received, vehicle_state: state = {}, triggered_by: triggered } = data;
  if (!isBetween(received, storedMs, storedMs))
    findings.add(
      'a receipt at another time',
      `${what}: received_at is ${String(received)}, and it was stored at ${dateTime(storedMs)}`,
      { atMs },
    );
  if (frame === undefined) return;
  const notedMs = notedAt(frame, storedMs);
  for (const [name, property] of Object.entries(state)) {
    const { timestamp } = (property ?? {}) as { readonly timestamp?: unknown };
    if (timestamp === undefined || isBetween(timestamp, notedMs, notedMs)) continue;
    findings.add(
      'a property of another time',
      `${what}: ${name} is of ${String(timestamp)}, and its record of ${dateTime(notedMs)}`,
      { atMs },
    );
  }
  if (frame.message.kind !== 'access') return;
  const { channel, correlation_id: correlation } = triggered ?? {};
  if (channel !== 'BLUETOOTH' || correlation !== frame.message.tokenId)
    findings.add(
      'a phone that is not named',
      `${what}: it was triggered by ${String(channel)} ${String(correlation)}, and the token was ${frame.message.tokenId}`,
      { atMs },
    );
}

function judgeFeature(message: QueuedMessage, record: SourceRecord, findings: Findings): void {
  const { messageId, vehicleId, name, atMs } = message;
  const { frame, key, storedMs } = record;
  if (frame === undefined) return;
  const { data = {} } = message.body as MessageParts;
  const what = `message ${messageId} (${name}) of vehicle ${vehicleId}, record ${key}`;
  const event = frame.message.kind === 'event' ? frame.message : undefined;
  const told = messageOf(event?.event);
  if (name !== told?.message || data['kind'] !== told.row.kind?.[0]) {
    const was = event?.event ?? frame.message.kind;
    findings.add('an event by another name', `${what}: ${String(data['kind'])}, and it was ${was}`, { atMs });
    return;
  }
  const beganMs = Math.max(0, notedAt(frame, storedMs) - (event?.measured?.agoMs ?? 0));
  if (!isBetween(data['occurred_at'], beganMs, beganMs))
    findings.add(
      'an event of another time',
      `${what}: occurred_at is ${String(data['occurred_at'])}, and it began at ${dateTime(beganMs)}`,
      { atMs },
    );
  if (!isBetween(data['received_at'], storedMs, storedMs))
    findings.add(
      'a receipt at another time',
      `${what}: received_at is ${String(data['received_at'])}, and it was stored at ${dateTime(storedMs)}`,
      { atMs },
    );
}

/** Each event of a feature whose state came as a message comes as one of its own. */
function judgeUntold(
  { vehicles, unhealed, facts }: CheckScope,
  {
    flows,
    told,
    waiting,
    calls,
  }: {
    readonly flows: ReadonlyMap<string, SourceRecord>;
    readonly told: ReadonlySet<string>;
    /** When messages were written that are still in the outbox. */
    readonly waiting: ReadonlySet<string>;
    readonly calls: readonly AnsweredCall[];
  },
  findings: Findings,
): void {
  if (unhealed.length > 0) return;
  const past = messagesPastMissingQueues(facts, calls);
  for (const [flowId, { key, frame, written }] of flows) {
    // Written together, they leave one after the other: a run may end between the two.
    if (waiting.has(String(written))) continue;
    if (frame?.message.kind !== 'event' || frame.message.measured === undefined || told.has(key)) continue;
    const { event } = frame.message;
    const vehicle = vehicles.find(({ boxId }) => key.startsWith(`${boxId}/`));
    const of = vehicle === undefined ? '' : ` of ${nameOf(vehicle)}`;
    const name = messageOf(event)?.message;
    if (past.some((one) => one.vehicle === vehicle?.number && one.name === name && one.atMs >= frame.atMs))
      continue;
    findings.add(
      'an event without its message',
      `${event}${of}, record ${key}: only its state came, flow ${flowId}`,
      {
        vehicle,
        atMs: frame.atMs,
      },
    );
  }
}

/** The message of an event of a feature; undefined: it is none. */
function messageOf(event: EventName | undefined) {
  return event !== undefined && event in EVENT_MESSAGES
    ? EVENT_MESSAGES[event as MeasuredEventName]
    : undefined;
}

/** The time of a record: by its box's clock, or that of its receipt if the box did not know the time, or was ahead. */
function notedAt({ clockMs }: RecordedFrame, storedMs: number): number {
  return clockMs === 0 ? storedMs : Math.min(clockMs, storedMs);
}

/** Whether it is a date-time of the API, and one of the seconds from the one to the other. */
function isBetween(told: unknown, fromMs: number, toMs: number): boolean {
  if (typeof told !== 'string' || !DATE_TIME.test(told)) return false;
  const ms = Date.parse(told);
  return ms > fromMs - limits.wholeSecondMs && ms <= toMs;
}

/** As date-times of the API are: without a part of a second. */
function secondOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

function dateTime(ms: number): string {
  return new Date(ms).toISOString();
}
