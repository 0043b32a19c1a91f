import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import { partitionClientIds } from '../../../../backend/ingest/partition-sessions.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import { PARTITIONS } from '../../../../protocol/partitions.ts';
import { topics } from '../../../../protocol/topics.ts';
import type { VirtualWorld } from '../../../../world/virtual-world.ts';
import { INGEST_ACCOUNT, type IngestBackend, IngestStage } from '../../../support/backend/ingest-backends.ts';
import type { ScriptedBox } from '../../../support/backend/scripted-box.ts';
import { BOX_ID } from '../../../support/store/store-rows.ts';

describe('an installation that had sessions of the other kind at its broker', () => {
  let world: VirtualWorld;
  let store: Store;
  let box: ScriptedBox;
  let stage: IngestStage;
  beforeEach(async () => {
    stage = await IngestStage.open();
    ({ world, store, box } = stage);
  });
  afterEach(() => stage.close());

  async function start(name?: string): Promise<IngestBackend> {
    const started = stage.begin(name);
    await world.runFor(10_000);
    return started;
  }
  async function stop(one: IngestBackend): Promise<void> {
    await world.run(() => one.stop());
  }

  /** Which of these sessions the broker keeps; they are looked at as the backend, and stay. */
  async function kept(clientIds: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const clientId of clientIds) {
      const session = await world.run(() =>
        world.mqtt.open(
          { ...INGEST_ACCOUNT, clientId, clean: false, keepAliveS: 30, connectTimeoutMs: 5_000 },
          { message: () => undefined, closed: () => undefined },
        ),
      );
      if (session.present) found.push(clientId);
      await world.run(() => session.end());
    }
    return found;
  }
  const stored = async () => (await store.ingest.countRecords(BOX_ID)).records;

  test('as one backend: what was published before is stored, and its session is gone', async () => {
    await stop(await start());
    await world.run(() => box.report(1, 17));
    const several = await start('backend-1');
    expect(await stored()).toBe(1);
    expect(several.counters.read()['formerSessions.ended']).toBe(1);
    await world.run(() => box.report(2, 18));
    await world.runFor(1_000);
    expect(await stored()).toBe(2);
    await stop(several);
    expect(await kept([INGEST_ACCOUNT.clientId])).toEqual([]);
  });

  test('as several: what was published before is stored, and the sessions of all partitions are gone', async () => {
    const several = await start('backend-1');
    await world.runFor(10_000);
    await stop(several);
    await world.run(() => box.report(1, 17));
    const one = await start();
    await world.runFor(20_000);
    expect(one.counters.read()['formerSessions.ended']).toBe(PARTITIONS);
    expect(await stored()).toBe(1);
    await world.run(() => box.report(2, 18));
    await world.runFor(1_000);
    expect(await stored()).toBe(2);
    await stop(one);
    expect(await kept(partitionClientIds(INGEST_ACCOUNT.clientId))).toEqual([]);
  });

  test('looks for them once: the next start has nothing to end', async () => {
    await stop(await start());
    expect((await start()).counters.read()['formerSessions.ended']).toBeUndefined();
  });

  test('has one of several backends end them, and the others wait for it', async () => {
    await stop(await start());
    await world.run(() => box.report(1, 17));
    const backends = ['backend-1', 'backend-2', 'backend-3'].map((name) => stage.begin(name));
    await world.runFor(30_000);
    const ended = backends.map(({ counters }) => counters.read()['formerSessions.ended'] ?? 0);
    expect(ended.reduce((sum, one) => sum + one)).toBe(1);
    expect(await stored()).toBe(1);
    expect(backends.map(({ ingest }) => ingest.condition().isConnected)).toEqual([true, true, true]);
  });

  test('keeps a former session until what came over it is committed, however long the store fails', async () => {
    await stop(await start());
    await world.run(() => box.report(1, 17));
    const failing = { isFailing: true };
    const several = stage.begin('backend-1', failing);
    await world.runFor(limits.formerDrainMs / 2);
    expect(several.counters.read()['formerSessions.ended']).toBeUndefined();
    failing.isFailing = false;
    await world.runFor(20_000);
    expect(await stored()).toBe(1);
    expect(several.counters.read()['formerSessions.ended']).toBe(1);
  });

  test('has what is left of a killed switch done by the next start, in whichever direction', async () => {
    await stop(await start());
    await world.run(() => box.report(1, 17));
    const killed = stage.begin('backend-1');
    await world.runFor(2_000);
    killed.sever();
    const one = await start();
    await world.runFor(20_000);
    expect(await stored()).toBe(1);
    expect(one.ingest.condition().isConnected).toBe(true);
    await stop(one);
    expect(await kept(partitionClientIds(INGEST_ACCOUNT.clientId))).toEqual([]);
  });

  test('says where the broker does not allow the topic, and goes on without looking', async () => {
    await stop(await start());
    const several = stage.begin('backend-1', { refusedFilter: topics.sessions });
    await world.runFor(10_000);
    expect(several.counters.read()['formerSessions.ended']).toBeUndefined();
    expect(several.ingest.condition().isConnected).toBe(true);
    expect(world.warnings.map(({ fields }) => fields['topic'])).toContain(topics.sessions);
    await world.run(() => box.report(1, 17));
    await world.runFor(1_000);
    expect(await stored()).toBe(1);
  });

  test('tells on its topic which sessions there are, once for each switch, however many backends begin', async () => {
    const told: string[] = [];
    const onlooker = await world.run(() =>
      world.mqtt.open(
        { ...INGEST_ACCOUNT, clientId: 'onlooker', clean: true, keepAliveS: 30, connectTimeoutMs: 5_000 },
        {
          message: (_topic, payload, _retained, acknowledge) => {
            told.push(new TextDecoder().decode(payload));
            acknowledge();
          },
          closed: () => undefined,
        },
      ),
    );
    await world.run(() => onlooker.subscribe(topics.sessions));
    await stop(await start());
    expect(told).toEqual(['one partitions', 'one']);
    for (const name of ['backend-1', 'backend-2', 'backend-3']) stage.begin(name);
    await world.runFor(30_000);
    expect(told.slice(2)).toEqual(['one partitions', 'partitions']);
  });

  test('is subscribed also where an earlier start was killed before it was', async () => {
    await stop(await start());
    world.mqttBroker.loseSession(INGEST_ACCOUNT.clientId);
    await kept([INGEST_ACCOUNT.clientId]);
    const one = await start();
    expect(one.ingest.condition().isConnected).toBe(true);
    await world.run(() => box.report(1, 17));
    await world.runFor(1_000);
    expect(await stored()).toBe(1);
  });
});
