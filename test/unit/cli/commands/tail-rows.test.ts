import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toAmqpMessage } from '../../../../backend/events/amqp-message.ts';
import {
  isWanted,
  jsonLine,
  type LastValues,
  tableHead,
  tableRow,
} from '../../../../cli/commands/tail-rows.ts';
import type { AmqpDelivery } from '../../../../world/amqp/amqp-consumer.ts';
import { exampleMessages } from '../../../support/asyncapi/example-messages.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';

const AT_MS = Date.UTC(2026, 2, 2, 9, 15, 13, 700);
const WIDE = 1_000;
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const deliveries = exampleMessages().map((message): AmqpDelivery => {
  const { body, headers, exchange, routingKey, ...properties } = toAmqpMessage(message);
  return { queue: 'q', exchange, routingKey, redelivered: false, properties, headers, body };
});
const [state, contact, change, damage] = deliveries;
if (state === undefined || contact === undefined || change === undefined || damage === undefined)
  throw new Error('The examples are others.');

const withBody = (body: unknown): AmqpDelivery => ({
  ...state,
  body: new TextEncoder().encode(JSON.stringify(body)),
});
const report = (vehicle_state: object) =>
  withBody({
    data: { vehicle_id: 'JQ7RP', vehicle_state },
    metadata: { message_type: 'service.VehicleStateReceived' },
  });

/** Anything that an AMQP peer could send, our own kind of body among it. */
const text = fc.string({ unit: anyCharacter, maxLength: 40 });
const body = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.jsonValue().map((value) => new TextEncoder().encode(JSON.stringify(value))),
  fc
    .record({
      metadata: fc.record({ message_type: text }, { requiredKeys: [] }),
      data: fc.record(
        {
          vehicle_id: fc.oneof(text, fc.jsonValue()),
          vehicle_state: fc.dictionary(text, fc.record({ value: fc.oneof(text, fc.jsonValue()) })),
          changed: fc.oneof(fc.array(text), fc.jsonValue()),
          triggered_by: fc.oneof(fc.record({ channel: text }), fc.jsonValue()),
        },
        { requiredKeys: [] },
      ),
    })
    .map((value) => new TextEncoder().encode(JSON.stringify(value))),
);
const anyDelivery: fc.Arbitrary<AmqpDelivery> = fc.record({
  queue: text,
  exchange: text,
  routingKey: text,
  redelivered: fc.boolean(),
  properties: fc.record({ messageId: text, type: text, timestampS: fc.nat() }, { requiredKeys: [] }),
  headers: fc.dictionary(text, fc.oneof(text, fc.bigInt(), fc.jsonValue())),
  body,
});

describe('a row of the table', () => {
  test('has time, vehicle, type, the reported values, and the trigger', () => {
    expect(tableRow(state, AT_MS, new Map(), WIDE)).toBe(
      '09:15:13Z JQ7RP        VehicleStateReceived   ignition=ON mileage_in_kilometers=48210.4 position=52.520008,13.404954 ← API_COMMAND',
    );
    expect(tableRow(contact, AT_MS, new Map(), WIDE)).toMatch(/contact without data$/);
    expect(tableRow(damage, AT_MS, new Map(), WIDE)).toContain(
      'strength_in_mg=620 sensitivity=MEDIUM side=REAR',
    );
    expect(tableRow(change, AT_MS, new Map(), WIDE)).toMatch(/ tags=\["pool"\]$/);
  });

  test('shows only the changed values of a report', () => {
    const last: LastValues = new Map();
    const timestamp = '2026-03-02T09:15:11Z';
    const ignition = { timestamp, value: 'ON' };
    tableRow(report({ ignition, speed_in_kph: { timestamp, value: 1 } }), AT_MS, last, WIDE);
    const next = tableRow(report({ ignition, speed_in_kph: { timestamp, value: 2 } }), AT_MS, last, WIDE);
    expect(next).toMatch(/VehicleStateReceived {3}speed_in_kph=2$/);
    expect(tableRow(report({ ignition }), AT_MS, last, WIDE)).toMatch(/1 properties as before$/);
  });

  test('of a redelivered message says so', () => {
    expect(tableRow({ ...contact, redelivered: true }, AT_MS, new Map(), WIDE)).toMatch(/\(again\)$/);
  });

  test('on a narrow terminal has the changes below it, so that it is readable at 50 columns', () => {
    expect(tableRow(state, AT_MS, new Map(), 50).split('\n')).toEqual([
      '09:15:13Z JQ7RP VehicleStateReceived',
      '  ignition=ON mileage_in_kilometers=48210.4',
      '  position=52.520008,13.404954 ← API_COMMAND',
    ]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`property_${at}`, { value: at }]));
    expect(tableRow(report(many), AT_MS, new Map(), 50).split('\n').slice(1)).toEqual([
      '  property_0=0 property_1=1 property_2=2',
      '  property_3=3 property_4=4 property_5=5',
      expect.stringMatching(/^ {2}property_6=6 property_7=7 .*…$/),
    ]);
    expect(tableHead(50).split('\n')).toHaveLength(2);
  });

  test('is one line within the width, on a narrow terminal a few, whatever the message; no control character reaches the terminal', () => {
    const last: LastValues = new Map();
    fc.assert(
      fc.property(anyDelivery, fc.integer({ min: 20, max: 200 }), (delivery, width) => {
        const lines = tableRow(delivery, AT_MS, last, width).split('\n');
        expect(lines.length).toBeLessThanOrEqual(width < 80 ? 4 : 1);
        for (const line of lines) {
          expect(line).not.toMatch(CONTROL);
          expect([...line].length).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});

describe('a line of JSON', () => {
  test('is the message, with its properties and headers, its origin and its time', () => {
    expect(JSON.parse(jsonLine(damage, AT_MS))).toEqual({
      arrived_at: '2026-03-02T09:15:13Z',
      queue: 'q',
      redelivered: false,
      properties: {
        message_id: damage.properties.messageId,
        type: 'service.DamageDetected',
        timestamp: damage.properties.timestampS,
        content_type: 'application/json',
        exchange: 'service.events',
        routing_key: 'BERLIN.DamageDetected',
      },
      headers: damage.headers,
      body: JSON.parse(new TextDecoder().decode(damage.body)),
    });
  });

  test('is one line of JSON without control characters, whatever the message, and loses nothing of its body', () => {
    fc.assert(
      fc.property(anyDelivery, (delivery) => {
        const line = jsonLine(delivery, AT_MS);
        expect(line).not.toMatch(CONTROL);
        const read = JSON.parse(line) as { readonly body: unknown; readonly body_base64?: string };
        if (read.body_base64 !== undefined)
          expect(Uint8Array.from(Buffer.from(read.body_base64, 'base64'))).toEqual(delivery.body);
        else expect(read.body).toEqual(JSON.parse(new TextDecoder().decode(delivery.body)));
      }),
    );
  });
});

describe('the filter', () => {
  test('accepts everything if it is empty, otherwise messages of its vehicles and types', () => {
    const wanted = (vehicles: readonly string[], types: readonly string[]) =>
      [state, damage].map((delivery) => isWanted(delivery, { vehicles, types }));
    expect(wanted([], [])).toEqual([true, true]);
    expect(wanted(['JQ7RP'], [])).toEqual([true, true]);
    expect(wanted(['OTHER'], [])).toEqual([false, false]);
    expect(wanted([], ['DamageDetected'])).toEqual([false, true]);
    expect(wanted(['JQ7RP', 'OTHER'], ['VehicleStateReceived'])).toEqual([true, false]);
  });

  test('decides on any message', () => {
    fc.assert(
      fc.property(anyDelivery, (delivery) => {
        expect(isWanted(delivery, { vehicles: ['JQ7RP'], types: [] })).toBe(false);
      }),
    );
  });
});
