import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MqttBroker, startMqttBroker } from '../../brokers/mqtt/broker.ts';
import type { LedgerReport } from '../../scenarios/ledger/account.ts';
import { realLog } from '../../world/real-log.ts';
import { rabbitmq, until, withService } from '../services.ts';
import { CRASH_POINTS, type CrashPoint } from './crash-point.ts';
import { CrashStage } from './crash-stage.ts';

const POINTS = Object.keys(CRASH_POINTS) as CrashPoint[];
const NOTHING_WRONG = {
  lost: 0,
  doubled: 0,
  reordered: 0,
  unknown: 0,
  unreadable: 0,
  wiped: 0,
  overflowed: 0,
};

await withService(rabbitmq, ({ url }) => {
  describe('the backend dies by kill -9 while boxes and brokers live on', () => {
    const stage = new CrashStage({ amqpUrl: url, vehicles: 4 });
    let broker: MqttBroker;

    beforeAll(async () => {
      const secrets = new Map(stage.plans.map(({ boxId, secret }) => [boxId, secret]));
      broker = await startMqttBroker({
        host: '127.0.0.1',
        port: 0,
        backend: { username: 'backend', password: stage.mqttPassword },
        authenticate: (boxId, secret) => Promise.resolve(secrets.get(boxId) === secret),
        log: realLog('silent'),
      });
      await stage.power(broker.url);
    });
    afterAll(async () => {
      await stage.close();
      await broker.close();
    });

    const start = (crash?: { point: CrashPoint; after: number }) =>
      stage.startBackend({
        mqttUrl: broker.url,
        brokerIsNew: false,
        ...(crash === undefined ? {} : { crash }),
      });
    const stored = (report: LedgerReport) => report.records;

    test.each(POINTS)('%s: nothing that the boxes have let go of is lost', async (point) => {
      await start({ point, after: 3 });
      expect(await stage.backendDeath()).toBe('SIGKILL');
      expect((await stage.ledger()).counts).toMatchObject(NOTHING_WRONG);
    });

    test('a consumer that dies before it acknowledges: the same messages come again, with their ids', async () => {
      await start();
      await stage.consume(false);
      await until(() => stage.arrivals.length >= 2, 25_000);
      await stage.endConsumer();
      const first = stage.arrivals.splice(0);
      await stage.consume();
      await until(() => stage.arrivals.length >= first.length, 25_000);
      const ids = (of: typeof first) => of.slice(0, first.length).map(({ messageId }) => messageId);
      expect(ids(stage.arrivals)).toEqual(ids(first));
      expect(stage.arrivals.slice(0, first.length).every(({ redelivered }) => redelivered)).toBe(true);
    });

    test('the next one brings everything out: each record in its state once and in the queue, in order', async () => {
      const before = stored(await stage.ledger());
      await until(async () => stored(await stage.ledger()) >= before + 4, 40_000);
      const report = await stage.settled();
      expect(report.counts).toMatchObject({ ...NOTHING_WRONG, late: 0, dropped: 0 });
      expect(report.delivered).toBeGreaterThan(8);
      // What was confirmed and not marked went out once more.
      expect(report.counts.repeated).toBeGreaterThan(0);
    });
  });
});
