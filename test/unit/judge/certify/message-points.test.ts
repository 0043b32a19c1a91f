import { describe, expect, test } from 'vitest';
import {
  MESSAGE_POINTS,
  type MessageEvidence,
  type ReadMessage,
} from '../../../../judge/certify/message-points.ts';
import type { AnsweredCall, RecordedFrame } from '../../../../judge/evidence/evidence.ts';
import type { FleetGroup } from '../../../../scenarios/language/document/scenario.ts';

const GROUP: FleetGroup = {
  as: 'certified',
  count: 1,
  features: {},
  isMaintained: false,
  isOnShelf: false,
  fleet: 'own',
};
const VEHICLE = 'JQ7RP';
const REPLY = { kind: 'reply', requestId: 'a', outcome: 'done', error: '', signals: {} } as const;
const REPORT = { kind: 'report', cause: 'time', signals: {} } as const;

/** The records of a box: a reply, two reports, a reply. */
const SENT = [REPLY, REPORT, REPORT, REPLY].map(
  (message, index): RecordedFrame => ({
    atMs: 1_000 + index,
    direction: 'up',
    epoch: 7,
    sequence: index + 1,
    clockMs: 1_000,
    message,
  }),
);

function message(place: number, more: { readonly flow?: string; readonly id?: string } = {}): ReadMessage {
  const isReply = place === 0 || place === 3;
  const flow = more.flow ?? `flow-${place}`;
  return {
    atMs: Date.parse('2026-01-31T12:01:00Z'),
    topic: 'VehicleState_v1',
    delivery: {
      queue: 'VehicleState_v1-x',
      exchange: '',
      routingKey: '',
      redelivered: false,
      properties: { messageId: more.id ?? `id-${place}` },
      headers: {},
      body: new Uint8Array(),
    },
    body: {
      metadata: {
        message_id: more.id ?? `id-${place}`,
        flow_id: flow,
        message_type: 'service.VehicleStateReceived',
      },
      data: {
        vehicle_id: VEHICLE,
        fleet_id: 'F00001',
        received_at: `2026-01-31T12:00:0${place}Z`,
        ...(isReply ? { triggered_by: { channel: 'API_COMMAND', correlation_id: flow } } : {}),
        vehicle_state: {},
      },
    },
  };
}

const CALLS = [0, 3].map(
  (place): AnsweredCall => ({
    call: place,
    as: 'owner',
    method: 'POST',
    path: `/vehicles/${VEHICLE}/commands/request-vehicle-state`,
    askedMs: 500,
    answeredMs: 600,
    status: 200,
    body: {},
    flowId: `flow-${place}`,
    vehicle: {
      number: 1,
      vehicleId: VEHICLE,
      model: '',
      boxId: '',
      fleetId: 'F00001',
      group: GROUP,
      initialFeatures: {},
    },
  }),
);

/** What the point makes of these messages. */
function judged(name: string, messages: readonly ReadMessage[]) {
  const evidence: MessageEvidence = {
    messages,
    calls: CALLS,
    sent: new Map([[VEHICLE, SENT]]),
    countedMs: 0,
    fleetId: 'F00001',
    document: { channels: {}, components: { messages: {}, schemas: {} } },
  };
  const point = MESSAGE_POINTS.find(({ plan }) => plan.id === `message/${name}`);
  return point?.judge(evidence);
}

describe('the points of messages', () => {
  const all = [0, 1, 2, 3].map((place) => message(place));
  const [first, second, third, fourth] = all as [ReadMessage, ReadMessage, ReadMessage, ReadMessage];

  test.each(['records', 'ids', 'order', 'commands', 'queues', 'times'])(
    '%s passes where all is right',
    (name) => {
      expect(judged(name, all)).toMatchObject({ result: 'passed' });
    },
  );

  test.each(['records', 'ids', 'order', 'commands'])(
    '%s passes where a message is repeated under its id',
    (name) => {
      expect(judged(name, [first, second, second, third, fourth, second])).toMatchObject({
        result: 'passed',
      });
    },
  );

  test('records fails where one is missing, and where one comes again under another id', () => {
    expect(judged('records', [first, second, fourth])).toMatchObject({ result: 'failed' });
    const again = message(1, { id: 'id-other' });
    expect(judged('records', [first, second, again, third, fourth])).toMatchObject({ result: 'failed' });
    expect(judged('ids', [first, second, again, third, fourth])).toMatchObject({ result: 'failed' });
  });

  test('order fails where a later report comes first', () => {
    expect(judged('order', [first, third, second, fourth])).toMatchObject({ result: 'failed' });
  });

  test('commands fails where the message of a command has another flow', () => {
    expect(judged('commands', [first, second, third, message(3, { flow: 'other' })])).toMatchObject({
      result: 'failed',
      findings: [{ text: expect.stringContaining('flow-3') }],
    });
  });

  test.each(MESSAGE_POINTS.map(({ plan }) => plan.id.replace('message/', '')))(
    '%s never passes where nothing came',
    (name) => {
      expect(judged(name, [])?.result).not.toBe('passed');
    },
  );
});
