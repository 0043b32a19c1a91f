import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { topics } from '../../protocol/topics.ts';
import type { MqttSession } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { type NatsCluster, startNatsCluster } from '../support/cluster/nats-cluster.ts';
import { natsServer, waitUntil, withService } from '../support/run/external-services.ts';

const BOX_ID = '0123456789abcdef';
const PATIENT_MS = 60_000;
/** A subscription is told at once what was retained. */
const RETAINED_MS = 10_000;
const SECRETS = new Map([
  ['backend', 'secret of the service'],
  [BOX_ID, 'secret of the box'],
]);

await withService(natsServer, (programs) => {
  describe('three NATS servers as one MQTT broker', () => {
    let cluster: NatsCluster;
    const opened: MqttSession[] = [];
    beforeAll(async () => {
      cluster = await startNatsCluster(programs, {
        service: SECRETS.get('backend') ?? '',
        boxes: new Map([[BOX_ID, SECRETS.get(BOX_ID) ?? '']]),
      });
    });
    afterEach(async () => {
      for (const session of opened.splice(0)) await session.end();
    });
    afterAll(() => cluster.stop());

    const nodeAt = (index: number) => {
      const node = cluster.nodes[index];
      if (node === undefined) throw new Error(`There is no node ${index}.`);
      return node;
    };
    /** Does it again until it succeeds: while the cluster chooses its leaders it refuses. */
    const persistently = async <T>(work: () => Promise<T>): Promise<T> => {
      let done: { readonly value: T } | undefined;
      await waitUntil(async () => {
        done = await work().then(
          (value) => ({ value }),
          () => undefined,
        );
        return done !== undefined;
      }, PATIENT_MS);
      if (done === undefined) throw new Error('It was not done.');
      return done.value;
    };
    /** A persistent session of that user at that node, and all that it is told. */
    const openAt = (index: number, username: string, clientId = username) =>
      persistently(async () => {
        const heard: string[] = [];
        const closed = Promise.withResolvers<string>();
        const session = await realMqttClient({ url: nodeAt(index).url }).open(
          {
            username,
            password: SECRETS.get(username) ?? '',
            clientId,
            clean: false,
            keepAliveS: 60,
            connectTimeoutMs: 10_000,
          },
          {
            message: (topic, payload, _retained, acknowledge) => {
              heard.push(`${topic} ${new TextDecoder().decode(payload)}`);
              acknowledge();
            },
            closed: closed.resolve,
          },
        );
        opened.push(session);
        return { session, heard, closed: closed.promise };
      });
    /** Publishes as the box, at that node. */
    const publishAt = (index: number, topic: string, text: string, retain = false) =>
      persistently(async () => {
        const { session } = await openAt(index, BOX_ID);
        await session.publish({ topic, payload: new TextEncoder().encode(text), retain });
        await session.end();
      });
    /** Kills the node, and starts it again after the work. */
    const without = async (index: number, work: () => Promise<void>) => {
      await nodeAt(index).kill();
      try {
        await work();
      } finally {
        await nodeAt(index).restart();
      }
    };

    test('have for a session that is opened anew at another one what was published meanwhile', async () => {
      const before = await openAt(0, 'backend', 'service-1');
      await before.session.subscribe(topics.everyUp);
      await without(0, async () => {
        await before.closed;
        for (const text of ['one', 'two', 'three']) await publishAt(1, topics.up(BOX_ID), text);
        const after = await openAt(2, 'backend', 'service-1');
        expect(after.session.present).toBe(true);
        // One that got no answer was published once more.
        const heard = () => [...new Set(after.heard)];
        await waitUntil(() => heard().length >= 3, PATIENT_MS);
        expect(heard()).toEqual(['one', 'two', 'three'].map((text) => `${topics.up(BOX_ID)} ${text}`));
      });
    });

    test('put an older session out where one with its client id is opened at another one', async () => {
      const older = await openAt(0, 'backend', 'service-2');
      await openAt(1, 'backend', 'service-2');
      expect(await older.closed).toMatch(/closed/);
    });

    test('tell what was retained also where the one is lost that was told it', async () => {
      await publishAt(2, topics.presence(BOX_ID), 'birth', true);
      await without(2, async () => {
        let heard: readonly string[] = [];
        let attempts = 0;
        // A server that has just lost another one may answer a subscription before it knows what was retained.
        await waitUntil(async () => {
          attempts += 1;
          const clientId = `service-3-${attempts}`;
          const service = await persistently(async () => {
            const one = await openAt(0, 'backend', clientId);
            await one.session.subscribe(topics.everyPresence);
            return one;
          });
          await waitUntil(() => service.heard.length > 0, RETAINED_MS).catch(() => undefined);
          heard = service.heard;
          return heard.length > 0;
        }, PATIENT_MS);
        expect(new Set(heard)).toEqual(new Set([`${topics.presence(BOX_ID)} birth`]));
      });
    });
  });
});
