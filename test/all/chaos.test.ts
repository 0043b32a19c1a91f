import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { ChaosRun } from '../support/cluster/chaos-run.ts';
import { type Deployment, startDeployment } from '../support/cluster/deployment.ts';
import { checksOf } from '../support/cluster/deployment-health.ts';
import {
  bothOf,
  haproxy,
  natsServer,
  postgresPrograms,
  rabbitServer,
  waitUntil,
  withService,
} from '../support/run/external-services.ts';

const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? 1);
const VEHICLES = Number(process.env['CHAOS_VEHICLES'] ?? 40);
/** As what boxes subscribe: 0 spares NATS a replicated consumer for each. */
const SUBSCRIBE_QOS = process.env['CHAOS_SUBSCRIBE_QOS'] === '0' ? '0' : '1';
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
/** What is done again and again may take a few minutes beyond its time: what was killed has to come back. */
const TIMEOUT_MS = MINUTES * 60_000 + 600_000;

const say = (text: string): void => void process.stderr.write(`chaos: ${text}\n`);

await withService(bothOf(bothOf(natsServer, rabbitServer), bothOf(postgresPrograms, haproxy)), (found) => {
  const [[nats, rabbit], [postgres, balancer]] = found;
  describe(`three backends, two shards, PostgreSQL and two clusters, seed ${SEED}`, {
    timeout: TIMEOUT_MS,
  }, () => {
    let deployment: Deployment;
    let run: ChaosRun;
    beforeAll(async () => {
      say(
        `seed ${SEED} (CHAOS_SEED), ${VEHICLES} vehicles, ${MINUTES} min, subscriptions at QoS ${SUBSCRIBE_QOS}`,
      );
      deployment = await startDeployment(
        { nats, rabbit, postgres, balancer },
        { vehicles: VEHICLES, seed: SEED, subscribeQos: SUBSCRIBE_QOS },
      );
      run = new ChaosRun(deployment, seededRandom(SEED), say);
      await run.underLoad('warm-up', () => run.allWell());
    }, 600_000);
    afterAll(() => deployment.stop(), 120_000);

    test('a rolling restart of all backends fails no request, and no vehicle that is there is missed', async () => {
      const report = await run.underLoad('rolling restart', async () => {
        for (const backend of deployment.of('backend')) {
          await backend.restart();
          await run.allWell();
        }
      });
      run.sayWire(report.missed);
      expect(report.withoutAnswer).toEqual([]);
      expect(report.strange).toEqual([]);
      expect(report.missed).toEqual([]);
      expect(Object.keys(report.counts).filter((what) => what.startsWith('5'))).toEqual([]);
      expect(report.done).toBeGreaterThan(100);
      await run.expectNothingLost();
    });

    test.each([
      ['one part at a time', 1],
      ['parts of two services at a time', 2],
    ])('nothing is lost while %s dies or is started anew', async (title, parts) => {
      const report = await run.underLoad(title, () => run.strike(parts, (MINUTES / 2) * 60_000));
      expect(report.strange).toEqual([]);
      await run.expectAccounted(report);
      expect(report.done).toBeGreaterThan(report.calls.length / 4);
      await run.expectNothingLost();
    });

    test.each([
      ['nats', 'mqtt', 'failed'],
      ['rabbitmq', 'amqp', 'degraded'],
    ] as const)(
      'without two of the three nodes of %s the health says so, nothing is lost, and all goes on',
      async (service, check, status) => {
        const report = await run.underLoad(`two of ${service}`, async () => {
          const pair = deployment.of(service).slice(0, 2);
          await Promise.all(pair.map((node) => node.kill()));
          // Each by itself: one that tries anew may say for a moment that it is well.
          const told = new Set<number>();
          await waitUntil(async () => {
            for (const [place, one] of checksOf(await deployment.health(), check).entries())
              if (one === status) told.add(place);
            return told.size === deployment.of('backend').length;
          }).finally(() => run.sayHealth());
          await sleep(5_000);
          await Promise.all(pair.map((node) => node.restart()));
          await run.allWell();
        });
        expect(report.strange).toEqual([]);
        await run.expectAccounted(report);
        await run.expectNothingLost();
      },
    );
  });
});
