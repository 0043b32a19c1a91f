import { connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCounters } from '../../backend/base/counters.ts';
import { writeStateReceived } from '../../backend/events/message.ts';
import { type OutboxPublisher, startOutboxPublisher } from '../../backend/events/outbox-publisher.ts';
import { rabbitAccounts } from '../../backend/events/rabbit-accounts.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { openSqliteStore } from '../../backend/store/sqlite/store.ts';
import { LIMITS } from '../../contract/limits.ts';
import { realAmqpPublisher } from '../../world/amqp/real-amqp-publisher.ts';
import { realHttp } from '../../world/http/real-http.ts';
import { realLog } from '../../world/log/real-log.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { realTime } from '../../world/time/real-time.ts';
import { type QueueReader, startQueueReader } from '../support/cluster/queue-reader.ts';
import {
  type RabbitCluster,
  type RabbitNode,
  startRabbitCluster,
} from '../support/cluster/rabbit-cluster.ts';
import { rabbitServer, waitUntil, withService } from '../support/run/external-services.ts';
import { ingestBatch } from '../support/store/store-rows.ts';

const QUORUM = { name: 'VehicleState_v1-quorum', fleetId: 'QUORUM' };
/** There before the service, at the last node alone. */
const CLASSIC = { name: 'VehicleState_v1-classic', fleetId: 'CLASSIC' };
const VEHICLES = ['VEH01', 'VEH02', 'VEH03', 'VEH04'];
/** How many of each vehicle are on their way while a node is killed. */
const MESSAGES = 100;
const PATIENT_MS = 60_000;

await withService(rabbitServer, (programs) => {
  describe('three nodes of RabbitMQ', () => {
    let cluster: RabbitCluster;
    let store: Store;
    let publisher: OutboxPublisher;
    const readers = new Map<string, QueueReader>();
    const counters = makeCounters();
    let written = 0;

    beforeAll(async () => {
      cluster = await startRabbitCluster(programs);
      await declareClassic(nodeAt(2).url);
      store = openSqliteStore(':memory:');
      const time = realTime();
      publisher = startOutboxPublisher({
        world: { time, random: realRandom(1), log: realLog('silent') },
        amqp: realAmqpPublisher({ url: cluster.url.split(',') }),
        outbox: store.outbox,
        queues: [QUORUM, CLASSIC],
        queueType: 'quorum',
        counters,
      });
      for (const { name } of [QUORUM, CLASSIC]) readers.set(name, startQueueReader(cluster.url, name));
      await waitUntil(() => publisher.condition() === 'open');
    });
    afterAll(async () => {
      await publisher.stop();
      for (const reader of readers.values()) await reader.close();
      await store.close();
      await cluster.stop();
    });

    const nodeAt = (index: number) => {
      const node = cluster.nodes[index];
      if (node === undefined) throw new Error(`There is no node ${index}.`);
      return node;
    };
    /** The node over which messages are published: the only channel with confirms. */
    async function nodeInUse(): Promise<RabbitNode> {
      let found: RabbitNode | undefined;
      await waitUntil(async () => {
        for (const { adminUrl } of cluster.nodes) {
          const channels = await ask<readonly Channel[]>(adminUrl, 'channels').catch(() => []);
          const used = channels.find(({ confirm }) => confirm)?.node;
          found = cluster.nodes.find(({ name }) => name === used);
          if (found !== undefined) return true;
        }
        return false;
      }, PATIENT_MS);
      if (found === undefined) throw new Error('Nobody publishes.');
      return found;
    }
    /** A message of the vehicle to that fleet's queue; its properties tell its place among all. */
    async function write(fleetId: string, vehicleId: string): Promise<string> {
      written += 1;
      const messageId = `01KE6000000000000000${String(written).padStart(6, '0')}`;
      const nowMs = Date.now();
      const message = writeStateReceived({
        messageId,
        vehicleId,
        fleetId,
        flowId: '6a0f5a8e-0000-4000-8000-000000000002',
        createdMs: nowMs,
        receivedMs: nowMs,
        triggeredBy: undefined,
        partition: 0,
        properties: {},
      });
      await store.ingest.commit(ingestBatch({ messages: [message] }));
      publisher.wake();
      return messageId;
    }
    const arrivedIn = (queue: { readonly name: string }) =>
      (readers.get(queue.name)?.arrivals ?? []).map(({ properties }) => String(properties.messageId));
    /** Waits until all of them have arrived; each at first in the order in which its vehicle's were written. */
    async function allArrive(queue: { readonly name: string }, ids: ReadonlyMap<string, readonly string[]>) {
      const expected = [...ids.values()].flat();
      await waitUntil(() => {
        const arrived = new Set(arrivedIn(queue));
        return expected.every((id) => arrived.has(id));
      }, PATIENT_MS);
      const first = [...new Set(arrivedIn(queue))];
      for (const one of ids.values()) expect(first.filter((id) => one.includes(id))).toEqual(one);
    }
    /** Publishes to the queue all the while `breaks` runs. Resolves with the ids of each vehicle. */
    async function publishWhile(fleetId: string, breaks: () => Promise<void>) {
      const ids = new Map<string, string[]>(VEHICLES.map((vehicleId) => [vehicleId, []]));
      let broken: Promise<void> | undefined;
      for (let index = 0; index < MESSAGES; index += 1) {
        for (const [vehicleId, own] of ids) own.push(await write(fleetId, vehicleId));
        if (index === MESSAGES / 4) broken = breaks();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await broken;
      return ids;
    }

    test('have the queues of the service as quorum queues, of three members each', async () => {
      const { type, members } = await ask<Queue>(nodeAt(0).adminUrl, `queues/%2F/${QUORUM.name}`);
      expect(type).toBe('quorum');
      expect(members).toHaveLength(3);
    });

    test('keep a queue of another type as it is, and the service publishes to it', async () => {
      const { type } = await ask<Queue>(nodeAt(0).adminUrl, `queues/%2F/${CLASSIC.name}`);
      expect(type).toBe('classic');
      const id = await write(CLASSIC.fleetId, 'VEH01');
      await allArrive(CLASSIC, new Map([['VEH01', [id]]]));
      expect(counters.read()).toMatchObject({ 'outlet.opened': 1 });
      expect(counters.read()['queues.refused'] ?? 0).toBe(0);
    });

    test('lose no message and keep the order of each vehicle where the node in use is killed, one after the other', async () => {
      for (const _ of [1, 2]) {
        const used = await nodeInUse();
        const ids = await publishWhile(QUORUM.fleetId, () => used.kill());
        await allArrive(QUORUM, ids);
        expect((await nodeInUse()).name).not.toBe(used.name);
        await used.restart();
      }
      await waitUntil(async () => (await store.outbox.size()).messages === 0);
    });

    test('keep what is for a classic queue until its node is back, and take everything else meanwhile', async () => {
      await nodeAt(2).kill();
      const waiting = await write(CLASSIC.fleetId, 'VEH05');
      const ids = await publishWhile(QUORUM.fleetId, () => Promise.resolve());
      await allArrive(QUORUM, ids);
      await waitUntil(async () => (await store.outbox.size()).messages === 1);
      await nodeAt(2).restart();
      await allArrive(CLASSIC, new Map([['VEH05', [waiting]]]));
      expect(counters.read()['outlet.opened'] ?? 0).toBeLessThan(8);
    });

    test('have users made for subscriptions where the node whose management interface is in use is killed', async () => {
      const address = { host: '127.0.0.1', port: 0, virtualHost: '/' };
      const accounts = rabbitAccounts({ http: realHttp() }, { address, adminUrl: cluster.adminUrl });
      await accounts.grant({ username: 'reader', password: 'first', queues: [QUORUM.name] });
      await nodeAt(0).kill();
      await accounts.grant({ username: 'reader', password: 'second', queues: [QUORUM.name] });
      const url = new URL(nodeAt(1).url);
      url.username = 'reader';
      url.password = 'second';
      await (await connect(url.href)).close();
      await accounts.revoke('reader');
      await expect(connect(url.href)).rejects.toThrow(/ACCESS[_-]REFUSED/);
      await nodeAt(0).restart();
    });
  });
});

/** Declares the classic queue with the arguments of the service, but for the type. */
async function declareClassic(url: string): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.assertQueue(CLASSIC.name, { durable: true, messageTtl: LIMITS.subscription.messageTtlMs });
  await connection.close();
}

interface Channel {
  readonly node: string;
  readonly confirm: boolean;
}

interface Queue {
  readonly type: string;
  readonly members?: readonly string[];
}

/** Asks a management interface. */
async function ask<Answer>(adminUrl: string, path: string): Promise<Answer> {
  const { origin, username, password } = new URL(adminUrl);
  const answer = await fetch(`${origin}/api/${path}`, {
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
  });
  return (await answer.json()) as Answer;
}
