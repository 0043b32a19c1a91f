import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { topics } from '../../protocol/topics.ts';
import type { MqttSession } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { type NatsCluster, startNatsCluster } from '../support/cluster/nats-cluster.ts';
import { natsServer, waitUntil, withService } from '../support/run/external-services.ts';

const BOX_ID = '0123456789abcdef';
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
    /** A persistent session of that user at that node, and all that it is told. */
    const openAt = async (index: number, username: string, clientId = username) => {
      const heard: string[] = [];
      const closed = Promise.withResolvers<string>();
      const session = await realMqttClient({ url: nodeAt(index).url }).open(
        {
          ...{ username, password: SECRETS.get(username) ?? '', clientId },
          ...{ clean: false, keepAliveS: 60, connectTimeoutMs: 10_000 },
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
    };
    const payload = (text: string) => new TextEncoder().encode(text);

    test('have for a session that is opened anew at another one what was published meanwhile', async () => {
      const before = await openAt(0, 'backend', 'service-1');
      await before.session.subscribe(topics.everyUp);
      await nodeAt(0).kill();
      await before.closed;
      const box = await openAt(1, BOX_ID);
      for (const text of ['one', 'two', 'three'])
        await box.session.publish({ topic: topics.up(BOX_ID), payload: payload(text), retain: false });
      const after = await openAt(2, 'backend', 'service-1');
      expect(after.session.present).toBe(true);
      await waitUntil(() => after.heard.length >= 3);
      expect(after.heard).toEqual(['one', 'two', 'three'].map((text) => `${topics.up(BOX_ID)} ${text}`));
      await nodeAt(0).restart();
    });

    test('put an older session out where one with its client id is opened at another one', async () => {
      const older = await openAt(0, 'backend', 'service-2');
      await openAt(1, 'backend', 'service-2');
      expect(await older.closed).toMatch(/closed/);
    });

    test('tell what was retained also where the one is lost that was told it', async () => {
      const box = await openAt(2, BOX_ID);
      await box.session.publish({ topic: topics.presence(BOX_ID), payload: payload('birth'), retain: true });
      await nodeAt(2).kill();
      const service = await openAt(0, 'backend', 'service-3');
      await service.session.subscribe(topics.everyPresence);
      await waitUntil(() => service.heard.length > 0);
      expect(service.heard).toEqual([`${topics.presence(BOX_ID)} birth`]);
      await nodeAt(2).restart();
    });
  });
});
