import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AmqpTable, textOf } from '../../brokers/amqp/codec/fields.ts';
import {
  type AmqpAccount,
  greet,
  openRawAmqpClient,
  type RawAmqpClient,
} from '../support/amqp/raw-amqp-client.ts';
import { describeAnswer, playSteps } from '../support/amqp/refusal-script.ts';
import { ARGUMENT_REFUSALS } from './amqp-consumer-argument-refusals.ts';
import type { Difference } from './amqp-consumer-differences.ts';
import { FRAME_FAULTS } from './amqp-consumer-frame-faults.ts';
import { GREETINGS } from './amqp-consumer-greetings.ts';
import { REFUSALS } from './amqp-consumer-refusals.ts';
import { REPLY_REFUSALS } from './amqp-consumer-reply-refusals.ts';
import { TYPE_REFUSALS } from './amqp-consumer-type-refusals.ts';

export type BrokerKind = 'rabbitmq' | 'embedded';

/** A broker under test. */
export interface AmqpBrokerFixture {
  readonly kind: BrokerKind;
  readonly account: AmqpAccount;
  readonly url: string;
  close(): Promise<void>;
}

/** A prefix for names that no other test uses. */
export const ownPrefix = () => `consumer-${randomBytes(6).toString('hex')}-`;

const TABLES = {
  refusals: REFUSALS,
  'refusals of arguments': ARGUMENT_REFUSALS,
  'refusals by type': TYPE_REFUSALS,
  'direct replies': REPLY_REFUSALS,
  frames: FRAME_FAULTS,
};

/** The errors of a broker for invalid requests: codes, texts, and class and method of the cause. */
export function refusalContract(name: string, open: () => Promise<AmqpBrokerFixture>): void {
  describe(`${name}: what is refused, and how`, () => {
    let fixture: AmqpBrokerFixture;
    let wires: RawAmqpClient[] = [];

    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());
    beforeEach(() => {
      wires = [];
    });
    afterEach(() => {
      for (const wire of wires) wire.cut();
    });

    const signIn = async () => {
      const wire = await openRawAmqpClient(fixture.account);
      wires.push(wire);
      return wire;
    };
    const expected = (row: {
      says: string;
      embedded?: { readonly says: string; readonly because: Difference };
    }) => (fixture.kind === 'embedded' ? (row.embedded?.says ?? row.says) : row.says);

    for (const [table, rows] of Object.entries(TABLES)) {
      test.each(rows.map((row) => [row.name, row] as const))(`${table}: %s`, async (_, row) => {
        const prefix = ownPrefix();
        const says = await playSteps(row.steps, await signIn(), signIn, prefix);
        // An auto-delete exchange without any earlier binding is not deleted.
        if (row.steps.some((step) => Array.isArray(step) && step[0] === 'exchange.declare'))
          await (await signIn()).ask('exchange.delete', { exchange: `${prefix}x` });
        expect(says).toBe(expected(row));
      });
    }

    // RabbitMQ closes a failed handshake only after 3 s: all of them wait at once.
    test('handshakes', { timeout: 60_000 }, async () => {
      const said = await Promise.all(
        GREETINGS.map(async (row) => {
          const { wire, last } = await greet(fixture.account, row.greeting);
          wires.push(wire);
          const header = wire.refusedWith === undefined ? '' : `header ${[...wire.refusedWith]}, `;
          return [row.name, `${header}${describeAnswer(last)}`];
        }),
      );
      expect(said).toEqual(GREETINGS.map((row) => [row.name, expected(row)]));
    });

    test('the server properties name product, version, platform, copyright, information and cluster', async () => {
      const { wire } = await greet(fixture.account);
      wires.push(wire);
      const start = wire.words.find(({ name }) => name === 'connection.start');
      const properties = start?.args['serverProperties'] as AmqpTable;
      for (const each of ['product', 'version', 'platform', 'copyright', 'information', 'cluster_name'])
        expect(textOf(properties.get(each)), each).toMatch(/./);
      expect(
        Buffer.from(start?.args['mechanisms'] as Uint8Array)
          .toString()
          .split(' ')
          .sort(),
      ).toEqual(['AMQPLAIN', 'PLAIN']);
    });

    test('another connection is not affected by any of that', async () => {
      const good = await signIn();
      const bad = await signIn();
      bad.bytes(Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9, 9, 9));
      await bad.closed();
      expect((await good.ask('basic.qos', { prefetchCount: 1 }))?.name).toBe('basic.qos-ok');
    });
  });
}
