import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WakeUp } from '../../../../../backend/store/port/wake-ups.ts';
import { openSqliteStore, type SqliteStore } from '../../../../../backend/store/sqlite/store.ts';
import { BackendGate } from '../../../../../scenarios/testbed/virtual/backend-gate.ts';
import type { MqttSession } from '../../../../../world/mqtt/mqtt-client.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../../world/virtual-world.ts';
import { newVehicle } from '../../../../support/store/store-rows.ts';

const MINUTE_MS = 60_000;

describe('between a backend and what reaches it', () => {
  let world: VirtualWorld;
  let store: SqliteStore;
  let gate: BackendGate;
  beforeEach(() => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:', { nowMs: () => world.time.nowMs() });
    gate = new BackendGate();
  });
  afterEach(() => store.close());

  /** Somebody commits what others wait for. */
  const wakesUp = () => store.bulk.makeConnectedDueNow(world.time.nowMs());

  function openSession(into: string[]): Promise<MqttSession> {
    const { mqtt } = gate.wrapWorld(world.instance('backend'));
    const options = { clientId: 'one', username: 'backend', password: 'secret', clean: true };
    return world.run(() =>
      mqtt.open(
        { ...options, keepAliveS: 60, connectTimeoutMs: 1_000 },
        {
          message: (topic, _payload, _retained, acknowledge) => {
            into.push(topic);
            acknowledge();
          },
          closed: (reason) => into.push(`closed: ${reason}`),
        },
      ),
    );
  }

  test('a paused one gets nothing; afterwards it gets everything in order, and has the time of everybody', async () => {
    const { time, steadyTime } = gate.wrapWorld(world.instance('backend'));
    const seen: string[] = [];
    const startMs = time.nowMs();
    time.alarm(startMs + 1_000, () => seen.push(`first at ${time.nowMs() - startMs}`));
    steadyTime.alarm(steadyTime.nowMs() + 2_000, () => seen.push('second'));
    gate.pause();
    gate.pass(() => seen.push('a request'));
    await world.runFor(MINUTE_MS);
    expect(seen).toEqual([]);
    gate.resume();
    expect(seen).toEqual(['a request', `first at ${MINUTE_MS}`, 'second']);
  });

  test('an alarm that was cancelled by what came before it does not ring', async () => {
    const { time } = gate.wrapWorld(world.instance('backend'));
    const seen: string[] = [];
    gate.pause();
    gate.pass(() => cancel());
    const cancel = time.alarm(time.nowMs() + 1_000, () => seen.push('rang'));
    await world.runFor(MINUTE_MS);
    gate.resume();
    expect(seen).toEqual([]);
  });

  test('a paused one is paused again by what wakes it, and the rest waits', () => {
    const seen: string[] = [];
    gate.pause();
    gate.pass(() => gate.pause());
    gate.pass(() => seen.push('later'));
    gate.resume();
    expect(seen).toEqual([]);
    gate.resume();
    expect(seen).toEqual(['later']);
  });

  test('what a paused one has asked of the store is carried out, and answered when it wakes', async () => {
    const guarded = gate.wrapStore(store, world.time);
    let isAnswered = false;
    const saving = guarded.vehicles.save(newVehicle()).then(() => {
      isAnswered = true;
    });
    gate.pause();
    await world.runFor(1_000);
    expect(isAnswered).toBe(false);
    expect(await store.vehicles.find(newVehicle().id)).toBeDefined();
    gate.resume();
    await saving;
  });

  test('one that is cut off from its store has its calls refused, and nothing of them is carried out', async () => {
    const guarded = gate.wrapStore(store, world.time);
    const cut = gate.cutOff('store');
    await expect(guarded.vehicles.save(newVehicle())).rejects.toThrow('cut off from its store');
    expect(await store.vehicles.find(newVehicle().id)).toBeUndefined();
    cut.remove();
    await guarded.vehicles.save(newVehicle());
  });

  test('of two cuts from one peer both have to end, each once', async () => {
    const guarded = gate.wrapStore(store, world.time);
    const [one, other] = [gate.cutOff('store'), gate.cutOff('store')];
    one.remove();
    one.remove();
    await expect(guarded.vehicles.find('VEH01')).rejects.toThrow('cut off');
    other.remove();
    expect(await guarded.vehicles.find('VEH01')).toBeUndefined();
  });

  test('what the store tells while it is cut off is lost, and afterwards it is told that something may be', async () => {
    const heard: WakeUp['kind'][] = [];
    gate.wrapStore(store, world.time).listen(({ kind }) => heard.push(kind));
    const cut = gate.cutOff('store');
    await store.leases.look({ backend: 'other', leaseMs: 1_000 });
    cut.remove();
    expect(heard).toEqual(['anything']);
    gate.pause();
    gate.cutOff('store').remove();
    expect(heard).toEqual(['anything']);
    gate.resume();
    expect(heard).toEqual(['anything', 'anything']);
  });

  test('wake-ups are late, or lost while that is laid too; how many it was is counted', async () => {
    const heardMs: number[] = [];
    const startMs = world.time.nowMs();
    gate.wrapStore(store, world.time).listen(() => heardMs.push(world.time.nowMs() - startMs));
    const late = gate.hinderWakeUps({ fate: 'late', byMs: 3_000 });
    await wakesUp();
    const lost = gate.hinderWakeUps({ fate: 'lost' });
    await wakesUp();
    await world.runFor(MINUTE_MS);
    expect([heardMs, lost.count(), late.count()]).toEqual([[3_000], 1, 2]);
    lost.remove();
    late.remove();
    await wakesUp();
    expect(heardMs).toEqual([3_000, MINUTE_MS]);
  });

  test('being cut off outlasts a crash, being paused does not', async () => {
    const guarded = gate.wrapStore(store, world.time);
    const cut = gate.cutOff('store');
    gate.pause();
    gate.renew();
    await expect(guarded.vehicles.find('VEH01')).rejects.toThrow('cut off');
    cut.remove();
    expect(await guarded.vehicles.find('VEH01')).toBeUndefined();
  });

  test('one that is being opened when it is cut off does not slip through', async () => {
    const opening = openSession([]);
    gate.cutOff('mqtt');
    await expect(opening).rejects.toThrow('the broker cannot be reached');
  });

  test('a session is closed where it is cut off from the broker, and none is opened until that is over', async () => {
    const seen: string[] = [];
    await openSession(seen);
    const cut = gate.cutOff('mqtt');
    await world.runFor(1_000);
    expect(seen).toHaveLength(1);
    await expect(openSession(seen)).rejects.toThrow('the broker cannot be reached');
    cut.remove();
    await openSession(seen);
  });
});
