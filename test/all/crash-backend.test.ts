import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MqttBroker, startMqttBroker } from '../../brokers/mqtt/broker.ts';
import type { LedgerReport } from '../../judge/ledger/ledger-account.ts';
import { realLog } from '../../world/log/real-log.ts';
import { rabbitmq, waitUntil, withService } from '../support/run/external-services.ts';
import { CRASH_POINTS, type CrashPoint } from '../support/sockets/crash-points.ts';
import { CrashingService } from '../support/sockets/crashing-service.ts';

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
  describe('the backend is killed by kill -9 while boxes and brokers keep running', () => {
    const stage = new CrashingService({ amqpUrl: url, vehicles: 4 });
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

    test.each(POINTS)('%s: no record that the boxes have released is lost', async (point) => {
      await start({ point, after: 3 });
      expect(await stage.backendDeath()).toBe('SIGKILL');
      expect((await stage.ledger()).counts).toMatchObject(NOTHING_WRONG);
    });

    test('a consumer crashes before it acknowledges: the same messages are delivered again, with their ids', async () => {
      await start();
      await stage.consume(false);
      await waitUntil(() => stage.arrivals.length >= 2, 25_000);
      await stage.endConsumer();
      const first = stage.arrivals.splice(0);
      await stage.consume();
      await waitUntil(() => stage.arrivals.length >= first.length, 25_000);
      const ids = (of: typeof first) => of.slice(0, first.length).map(({ messageId }) => messageId);
      expect(ids(stage.arrivals)).toEqual(ids(first));
      expect(stage.arrivals.slice(0, first.length).every(({ redelivered }) => redelivered)).toBe(true);
    });

    test('the next backend delivers everything: each record is in its state once and in the queue, in order', async () => {
      const before = stored(await stage.ledger());
      await waitUntil(async () => stored(await stage.ledger()) >= before + 4, 40_000);
      const report = await stage.settled();
      expect(report.counts).toMatchObject({ ...NOTHING_WRONG, late: 0, dropped: 0 });
      expect(report.delivered).toBeGreaterThan(8);
      // Messages that were confirmed but not marked as sent were published again.
      expect(report.counts.repeated).toBeGreaterThan(0);
    });
  });
});
