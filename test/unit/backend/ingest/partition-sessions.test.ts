import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { startPartitionSessions } from '../../../../backend/ingest/partition-sessions.ts';
import type { PartitionKeeper } from '../../../../backend/partitions/partition-keeper.ts';
import type { MqttClient } from '../../../../world/mqtt/mqtt-client.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

/** A broker that has kept every session, and notes what is opened and subscribed. */
class KeepingBroker {
  readonly opened: string[] = [];
  readonly subscribed: string[] = [];
  /** The session over which a backend sends is opened once this has resolved. */
  senderOpens: Promise<void> = Promise.resolve();
  readonly mqtt: MqttClient = {
    open: async ({ clientId }) => {
      this.opened.push(clientId);
      if (clientId === 'backend-1') await this.senderOpens;
      return {
        present: true,
        publish: () => Promise.resolve(),
        subscribe: (filter) => {
          this.subscribed.push(filter);
          return Promise.resolve();
        },
        end: () => Promise.resolve(),
        drop: () => undefined,
      };
    },
  };
}

type BeginSession = PartitionKeeper['beginSession'];

function sessionsOn(
  broker: KeepingBroker,
  beginSession: BeginSession = () => Promise.resolve({ wasSubscribed: true }),
) {
  const world = openVirtualWorld({ seed: 1 });
  const sessions = startPartitionSessions({
    world: { ...world.instance('backend'), mqtt: broker.mqtt },
    account: { clientId: 'service', username: 'backend', password: 'secret' },
    backend: 'backend-1',
    counters: makeCounters(),
    keeper: { started: Promise.resolve(), beginSession, sessionSubscribed: () => Promise.resolve() },
    message: () => undefined,
    lost: () => undefined,
  });
  return { world, sessions };
}

describe('the session of a partition', () => {
  test('that was passed on settled goes on with its subscriptions', async () => {
    const broker = new KeepingBroker();
    const { world, sessions } = sessionsOn(broker);
    sessions.open([{ partition: 7, fence: 2, isSettled: true }]);
    await world.runFor(1_000);
    expect(broker.opened).toContain('service-p07');
    expect(broker.subscribed).toEqual([]);
    expect(sessions.openPartitions()).toEqual([7]);
  });

  test('is opened once its backend can send: what it takes is receipted', async () => {
    const broker = new KeepingBroker();
    const opens = Promise.withResolvers<void>();
    broker.senderOpens = opens.promise;
    const { world, sessions } = sessionsOn(broker);
    sessions.open([{ partition: 7, fence: 2, isSettled: true }]);
    await world.runFor(500);
    expect(broker.opened).toEqual(['backend-1']);
    opens.resolve();
    await world.runFor(1_000);
    expect(broker.opened).toEqual(['backend-1', 'service-p07']);
  });

  test('that was not settled subscribes anew: presence that was acknowledged and never stored comes again', async () => {
    const broker = new KeepingBroker();
    const { world, sessions } = sessionsOn(broker);
    sessions.open([{ partition: 7, fence: 2, isSettled: false }]);
    await world.runFor(1_000);
    expect(broker.subscribed).toHaveLength(2);
  });

  test('that is given up before it is opened puts out nobody', async () => {
    const broker = new KeepingBroker();
    const begun = Promise.withResolvers<{ readonly wasSubscribed: boolean }>();
    const { world, sessions } = sessionsOn(broker, () => begun.promise);
    sessions.open([{ partition: 7, fence: 2, isSettled: true }]);
    sessions.abandon([7]);
    begun.resolve({ wasSubscribed: true });
    await world.runFor(1_000);
    expect(broker.opened).toEqual(['backend-1']);
  });

  test('that is another backend’s is not opened', async () => {
    const broker = new KeepingBroker();
    const { world, sessions } = sessionsOn(broker, () => Promise.resolve(undefined));
    sessions.open([{ partition: 7, fence: 2, isSettled: true }]);
    await world.runFor(1_000);
    expect(broker.opened).toEqual(['backend-1']);
  });
});
