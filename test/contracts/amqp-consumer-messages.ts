import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AmqpField, AmqpTable } from '../../brokers/amqp/codec/fields.ts';
import { type AmqpProperties, encodeProperties } from '../../brokers/amqp/codec/properties.ts';
import {
  openRawAmqpClient,
  type RawAmqpClient,
  type ReceivedMethod,
} from '../support/amqp/raw-amqp-client.ts';
import { type AmqpBrokerFixture, ownPrefix } from './amqp-consumer-contract.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

/** A field of each type that a table can contain, at the limits of its range. */
const EVERY_FIELD: AmqpTable = new Map<string, AmqpField>([
  ['truth', { type: 't', value: true }],
  ['int8', { type: 'b', value: -128 }],
  ['uint8', { type: 'B', value: 255 }],
  ['int16', { type: 's', value: -32_768 }],
  ['uint16', { type: 'u', value: 65_535 }],
  ['int32', { type: 'I', value: -2_147_483_648 }],
  ['uint32', { type: 'i', value: 4_294_967_295 }],
  ['int64', { type: 'l', value: -(2n ** 63n) }],
  ['timestamp', { type: 'T', value: 1_790_000_000n }],
  ['float', { type: 'f', value: 1.5 }],
  ['double', { type: 'd', value: Math.PI }],
  ['decimal', { type: 'D', scale: 2, value: 314 }],
  ['text', { type: 'S', value: bytes('Zürich 東京') }],
  ['binary', { type: 'x', value: Uint8Array.of(0, 255, 0xce) }],
  ['list', { type: 'A', value: [{ type: 'I', value: 1 }, { type: 'V' }, { type: 'S', value: bytes('b') }] }],
  ['table', { type: 'F', value: new Map([['inner', { type: 'F', value: new Map() }]]) }],
  ['nothing', { type: 'V' }],
]);

const EVERY_PROPERTY: AmqpProperties = {
  contentType: 'application/json',
  contentEncoding: 'gzip',
  headers: EVERY_FIELD,
  deliveryMode: 2,
  priority: 7,
  correlationId: 'c-1',
  replyTo: 'answers',
  expiration: '60000',
  messageId: '01J0000000000000000000TEST',
  timestamp: 1_790_000_000n,
  type: 'VehicleState_v1',
  userId: 'guest',
  appId: 'boxtwin',
  clusterId: 'none',
};

/** Messages arrive unchanged: bodies of every relevant size, and properties byte for byte. */
export function messageContract(name: string, open: () => Promise<AmqpBrokerFixture>): void {
  describe(`${name}: messages`, () => {
    let fixture: AmqpBrokerFixture;
    let wires: RawAmqpClient[] = [];
    let queue = '';

    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());
    beforeEach(() => {
      wires = [];
      // Anew for each test: a broker frees an exclusive queue some time after its connection was cut.
      queue = `${ownPrefix()}messages`;
    });
    afterEach(() => {
      for (const wire of wires) wire.cut();
    });

    /** A connection with its own queue and confirms. */
    async function signIn(frameMax: number): Promise<RawAmqpClient> {
      const wire = await openRawAmqpClient(fixture.account, { frameMax });
      wires.push(wire);
      const declared = await wire.ask('queue.declare', { queue: `${queue}-${frameMax}`, exclusive: true });
      expect(declared?.args['replyText'] ?? declared?.name).toBe('queue.declare-ok');
      await wire.ask('confirm.select');
      return wire;
    }

    async function roundTrip(
      wire: RawAmqpClient,
      name: string,
      body: Uint8Array,
      properties: AmqpProperties,
    ): Promise<ReceivedMethod | undefined> {
      wire.publish({ routingKey: name }, body, properties);
      expect((await wire.next())?.name).toBe('basic.ack');
      return wire.ask('basic.get', { queue: name, noAck: true });
    }

    test.each([4_096, 131_072])('bodies of every size, in frames of at most %i bytes', async (frameMax) => {
      const wire = await signIn(frameMax);
      const full = frameMax - 8;
      for (const size of [0, 1, full - 1, full, full + 1, 2 * full, 2 * full + 1]) {
        const body = Buffer.alloc(size, 'abcdefghijk');
        wire.bodyFrames.length = 0;
        const word = await roundTrip(wire, `${queue}-${frameMax}`, body, {});
        expect(word?.body.equals(body), `${size} bytes`).toBe(true);
        expect(wire.bodyFrames.reduce((sum, frame) => sum + frame - 8, 0)).toBe(size);
        expect(Math.max(0, ...wire.bodyFrames)).toBeLessThanOrEqual(frameMax);
      }
    });

    test('a body of 4 MiB', async () => {
      const wire = await signIn(131_072);
      const body = Buffer.alloc(4 * 1_024 * 1_024, 'abcdefghijk');
      expect((await roundTrip(wire, `${queue}-131072`, body, {}))?.body.equals(body)).toBe(true);
    });

    test('a message above 4 MiB: RabbitMQ accepts it, the embedded broker refuses it by its size', async () => {
      const wire = await signIn(131_072);
      wire.publish({ routingKey: `${queue}-131072` }, Buffer.alloc(4 * 1_024 * 1_024 + 1));
      const word = await wire.next();
      expect(word?.args['replyText'] ?? word?.name).toBe(
        // Difference: message-bound.
        fixture.kind === 'rabbitmq'
          ? 'basic.ack'
          : 'PRECONDITION_FAILED - message size 4194305 is larger than configured max size 4194304',
      );
    });

    test('every property and every type of header, byte for byte', async () => {
      const wire = await signIn(131_072);
      const word = await roundTrip(wire, `${queue}-131072`, bytes('{}'), EVERY_PROPERTY);
      expect(word?.args['redelivered']).toBe(false);
      expect(Buffer.from(word?.header?.encoded ?? []).equals(encodeProperties(EVERY_PROPERTY))).toBe(true);
    });

    test.each(Object.keys(EVERY_PROPERTY))('the property %s alone, byte for byte', async (key) => {
      const wire = await signIn(4_096);
      const properties = Object.fromEntries(Object.entries(EVERY_PROPERTY).filter(([each]) => each === key));
      const word = await roundTrip(wire, `${queue}-4096`, bytes(''), properties);
      expect(Buffer.from(word?.header?.encoded ?? []).equals(encodeProperties(properties))).toBe(true);
    });

    test('a mandatory message without a queue is returned completely, before its confirm', async () => {
      const wire = await signIn(4_096);
      const body = Buffer.alloc(10_000, 'x');
      wire.publish(
        { exchange: 'amq.topic', routingKey: `${queue}.no`, mandatory: true },
        body,
        EVERY_PROPERTY,
      );
      const [back, confirmed] = [await wire.next(), await wire.next()];
      expect(back?.args).toEqual({
        replyCode: 312,
        replyText: 'NO_ROUTE',
        exchange: 'amq.topic',
        routingKey: `${queue}.no`,
      });
      expect(back?.body.equals(body)).toBe(true);
      expect(Buffer.from(back?.header?.encoded ?? []).equals(encodeProperties(EVERY_PROPERTY))).toBe(true);
      expect(confirmed?.name).toBe('basic.ack');
    });

    test.each([
      ['persistent', 2],
      ['transient', 1],
    ])('confirms of %s messages cover each once, alone or several in a word', async (_, deliveryMode) => {
      const wire = await signIn(4_096);
      const count = 200;
      for (let index = 0; index < count; index++)
        wire.publish({ routingKey: `${queue}-4096` }, `${index}`, { deliveryMode });
      const open = new Set(Array.from({ length: count }, (_, index) => index + 1));
      while (open.size > 0) {
        const word = await wire.next();
        expect(word?.name).toBe('basic.ack');
        const tag = Number(word?.args['deliveryTag']);
        const covered = word?.args['multiple'] === true ? [...open].filter((each) => each <= tag) : [tag];
        for (const each of covered) expect(open.delete(each)).toBe(true);
      }
    });
  });
}
