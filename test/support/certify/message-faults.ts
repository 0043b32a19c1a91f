import { readFileSync } from 'node:fs';
import type { MessageEvidence, ReadMessage } from '../../../judge/certify/message-points.ts';
import type { MessagesDocument } from '../../../judge/certify/message-validator.ts';
import type { AnsweredCall, RecordedFrame } from '../../../judge/evidence/evidence.ts';
import { isJsonObject } from '../../../world/json.ts';
import type { PointFault, PointFaults } from './point-fault.ts';

type Body = {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
};
interface Example {
  readonly name: string;
  readonly payload: Body;
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const DOCUMENT = read('qa/golden/documents/asyncapi.json') as MessagesDocument;
const EXAMPLES = read('backend/events/asyncapi-examples.json') as readonly Example[];

const START_MS = Date.parse('2026-01-05T07:00:00Z');
const VEHICLE = '1POND';
const FLEET = 'OWNFLEET';

const exampleOf = (name: string, isCommand: boolean): Body => {
  const found = EXAMPLES.find(
    (one) => one.name === name && (one.payload.data['triggered_by'] !== undefined) === isCommand,
  );
  if (found === undefined) throw new Error(`There is no example of ${name}.`);
  return found.payload;
};

/** The flow of the message in this place: that of a command for the first and the fourth, of a change for the last. */
const flowOf = (place: number): string => `0000000${place}-c02a-4327-bf86-7d9e1c4a33e7`;
const isoOf = (ms: number): string => new Date(ms).toISOString().replace('.000', '');

/** The message as it comes from the queue of the topic. */
function delivered(atMs: number, topic: string, body: Body): ReadMessage {
  const { metadata, data } = body;
  const type = String(metadata['message_type']);
  return {
    atMs,
    topic,
    delivery: {
      queue: `${topic}-certify`,
      exchange: '',
      routingKey: `${String(data['fleet_id'])}.${type.replace('service.', '')}`,
      redelivered: false,
      properties: {
        messageId: String(metadata['message_id']),
        type,
        timestampS: Date.parse(String(metadata['occurred_at'])) / 1_000,
        contentType: 'application/json',
      },
      headers: {
        'Flow-ID': metadata['flow_id'],
        'Message-Type': type,
        'Message-Version': metadata['version'],
      },
      body: new TextEncoder().encode(JSON.stringify(body)),
    },
    body,
  };
}

function messageOf(place: number, topic: string, { metadata, data }: Body): ReadMessage {
  const atMs = START_MS + place * 1_000;
  const flow = flowOf(place);
  const triggered = isJsonObject(data['triggered_by'])
    ? { triggered_by: { ...data['triggered_by'], correlation_id: flow } }
    : {};
  return delivered(atMs + 200, topic, {
    metadata: {
      ...metadata,
      message_id: `01KE6BX6H4Z8Z8QFWM94CCAM8${place}`,
      occurred_at: isoOf(atMs),
      flow_id: flow,
    },
    data: { ...data, ...triggered, vehicle_id: VEHICLE, fleet_id: FLEET, received_at: isoOf(atMs) },
  });
}

const STATE = exampleOf('VehicleStateReceived', false);
const ANSWER = exampleOf('VehicleStateReceived', true);

function callOf(place: number, method: string, path: string, body: unknown): AnsweredCall {
  const atMs = START_MS + place * 1_000;
  return {
    call: place,
    as: 'owner',
    method,
    path: `/vehicles/${VEHICLE}${path}`,
    askedMs: atMs - 200,
    answeredMs: atMs + 100,
    status: 200,
    body,
    flowId: flowOf(place),
    vehicle: {
      number: 1,
      vehicleId: VEHICLE,
      model: '',
      boxId: '',
      fleetId: FLEET,
      group: { as: 'certified', fleet: 'own', isOnShelf: false, features: {} },
      initialFeatures: {},
    },
  };
}

const REPLY = { kind: 'reply', requestId: 'a', outcome: 'done', error: '', signals: {} } as const;
const REPORT = { kind: 'report', cause: 'time', signals: {} } as const;

/** A command, two reports, a command and a change of the record, with their messages. */
export const RIGHT_MESSAGES: MessageEvidence = {
  document: DOCUMENT,
  messages: [
    messageOf(0, 'VehicleState_v1', ANSWER),
    messageOf(1, 'VehicleState_v1', STATE),
    messageOf(2, 'VehicleState_v1', STATE),
    messageOf(3, 'VehicleState_v1', ANSWER),
    messageOf(4, 'VehicleDataChanged_v1', exampleOf('VehicleDataChanged', false)),
  ],
  calls: [
    callOf(0, 'POST', '/commands/request-vehicle-state', ANSWER.data['vehicle_state']),
    callOf(3, 'POST', '/commands/request-vehicle-state', ANSWER.data['vehicle_state']),
    callOf(4, 'PATCH', '', {}),
  ],
  sent: new Map([
    [
      VEHICLE,
      [REPLY, REPORT, REPORT, REPLY].map(
        (message, index): RecordedFrame => ({
          atMs: START_MS + index * 1_000,
          direction: 'up',
          epoch: 7,
          sequence: index + 1,
          clockMs: START_MS,
          message,
        }),
      ),
    ],
  ]),
  countedMs: START_MS - 1_000,
  fleetId: FLEET,
};

type Fault = PointFault<MessageEvidence>;

/** A service whose message in this place is another one, or which sends these instead of it. */
const at = (
  place: number,
  what: string,
  said: string,
  change: (message: ReadMessage) => readonly ReadMessage[],
): Fault => ({
  what: `a service that ${what}`,
  plant: (right) => ({
    ...right,
    messages: right.messages.flatMap((one, index) => (index === place ? change(one) : [one])),
  }),
  said,
});

/** The same with another part of its metadata or data. */
const bodyAt = (
  place: number,
  what: string,
  said: string,
  part: 'metadata' | 'data',
  values: Readonly<Record<string, unknown>>,
): Fault =>
  at(place, what, said, (message) => {
    const body = message.body as Body;
    const changed = { ...body, [part]: { ...body[part], ...values } };
    return [delivered(message.atMs, message.topic, changed)];
  });

const propertiesAt = (what: string, said: string, change: Partial<ReadMessage['delivery']>): Fault =>
  at(1, what, said, (message) => [{ ...message, delivery: { ...message.delivery, ...change } }]);

/** By the name of the point. */
export const MESSAGE_FAULTS: PointFaults<MessageEvidence> = {
  'message/bodies': [
    bodyAt(1, 'sends a state without its time', 'Its body/data', 'data', { received_at: undefined }),
    bodyAt(4, 'sends tags that are no list', 'Its body/data/tags', 'data', { tags: 'north' }),
  ],
  'message/headers': [
    propertiesAt('tells another version in the header', 'Its header Message-Version is 9.9.9', {
      headers: {
        'Flow-ID': flowOf(1),
        'Message-Type': 'service.VehicleStateReceived',
        'Message-Version': '9.9.9',
      },
    }),
    propertiesAt('sends under another routing key', 'Its routing key is', {
      routingKey: `${FLEET}X.VehicleStateReceived`,
    }),
  ],
  'message/queues': [
    bodyAt(1, 'sends what another fleet has', 'is of the fleet OTHER', 'data', { fleet_id: 'OTHER' }),
    at(1, 'puts a state into the queue of changes', 'of the queue VehicleDataChanged_v1', (message) => [
      { ...message, topic: 'VehicleDataChanged_v1' },
    ]),
  ],
  'message/ids': [
    at(1, 'sends a report under two ids', 'have one flow', (message) => {
      const body = message.body as Body;
      const metadata = { ...body.metadata, message_id: '01KE6BX6H4Z8Z8QFWM94CCAM9Z' };
      return [message, delivered(message.atMs, message.topic, { ...body, metadata })];
    }),
    at(1, 'changes a message that it repeats', 'came with two bodies', (message) => {
      const body = message.body as Body;
      const data = { ...body.data, vehicle_state: {} };
      return [message, delivered(message.atMs, message.topic, { ...body, data })];
    }),
  ],
  'message/order': [
    {
      what: 'a service that sends the later report first',
      plant: (right) => ({
        ...right,
        messages: [0, 2, 1, 3, 4].flatMap((place) => right.messages[place] ?? []),
      }),
      said: 'came after one of',
    },
  ],
  'message/records': [
    at(1, 'loses a report', 'sent 2 reports between its replies, and 1 messages came', () => []),
    at(0, 'loses what a command led to', 'the messages of these did not come', () => []),
  ],
  'message/commands': [
    at(3, 'sends no message of a command', 'no message of that flow came', () => []),
    bodyAt(3, 'tells another cause', 'its message is triggered by', 'data', {
      triggered_by: { channel: 'BOX', correlation_id: flowOf(3) },
    }),
    bodyAt(3, 'tells of another vehicle', 'its message is of the vehicle 2POND', 'data', {
      vehicle_id: '2POND',
    }),
    bodyAt(3, 'tells another state', 'is not the one that was answered', 'data', { vehicle_state: {} }),
    {
      what: 'a service that refuses each command',
      plant: (right) => ({
        ...right,
        calls: right.calls.map((call) => ({ ...call, status: 504, problem: 'vehicle/unreachable' })),
      }),
      said: 'answered 504 vehicle/unreachable',
    },
  ],
  'message/changes': [at(4, 'tells nobody of a change', 'no VehicleDataChanged of that flow came', () => [])],
  'message/times': [
    bodyAt(1, 'tells a time that is to come', 'and it came at', 'data', {
      received_at: '2026-01-05T08:00:00Z',
    }),
    bodyAt(1, 'tells of a value before it was measured', 'the timestamp of speed_in_kph is after', 'data', {
      vehicle_state: { speed_in_kph: { timestamp: '2026-01-05T09:00:00Z', value: 1 } },
    }),
  ],
};
