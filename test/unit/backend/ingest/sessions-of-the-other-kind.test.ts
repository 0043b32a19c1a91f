import { beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { endFormerSessions, type FormerSessionsParts } from '../../../../backend/ingest/former-sessions.ts';
import { PARTITIONS } from '../../../../protocol/partitions.ts';
import { topics } from '../../../../protocol/topics.ts';
import type { MqttClient, MqttSession, MqttSessionEvents } from '../../../../world/mqtt/mqtt-client.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

const ACCOUNT = { clientId: 'service', username: 'backend', password: 'secret' };
const CLIENT_IDS = ['service-p00', 'service-p01', 'service-p02'];
const BOX_TOPIC = topics.up('00000000000000a1');

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (payload: Uint8Array) => new TextDecoder().decode(payload);

describe('ending the sessions of the other kind', () => {
  let world: VirtualWorld;
  /** What stands on the topic of the sessions, each time it changes. */
  let told: string[];
  let admin: MqttSession;
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    told = [];
    admin = await world.run(() => open('admin', true, told));
    await world.run(() => admin.subscribe(topics.sessions));
  });

  function open(clientId: string, clean: boolean, heard: string[] = []): Promise<MqttSession> {
    return world.mqtt.open(
      { ...ACCOUNT, clientId, clean, keepAliveS: 30, connectTimeoutMs: 5_000 },
      {
        message: (_topic, payload, _retained, acknowledge) => {
          heard.push(textOf(payload));
          acknowledge();
        },
        closed: () => undefined,
      },
    );
  }
  const tell = (topic: string, text: string, retain = true) =>
    world.run(() => admin.publish({ topic, payload: bytesOf(text), retain }));

  /** The broker keeps these sessions for the frames of all boxes. */
  async function leave(...clientIds: readonly string[]): Promise<void> {
    for (const clientId of clientIds) {
      const session = await world.run(() => open(clientId, false));
      await world.run(() => session.subscribe(topics.everyUp));
      await world.run(() => session.end());
    }
  }
  const isKept = (clientId: string) => world.mqttBroker.loseSession(clientId);

  /** One backend for all boxes, which ends the sessions of partitions. */
  function begin(change: Partial<FormerSessionsParts> = {}) {
    const instance = world.instance('backend');
    const opened: string[] = [];
    const mqtt: MqttClient = {
      open: (options, events) => {
        opened.push(options.clientId);
        return instance.mqtt.open(options, events);
      },
    };
    const counters = makeCounters();
    const taken: string[] = [];
    const state = { isEnded: false, lost: 0, severed: 0 };
    const former = endFormerSessions({
      world: { ...instance, mqtt },
      account: ACCOUNT,
      counters,
      installationId: 'INSTALL1',
      lookingClientId: 'looker',
      kind: 'one',
      clientIds: CLIENT_IDS,
      isOursToDo: () => true,
      message: (_topic, payload, _retained, acknowledge) => {
        taken.push(textOf(payload));
        acknowledge();
      },
      lost: () => {
        state.lost += 1;
      },
      isIdle: () => true,
      severed: () => {
        state.severed += 1;
      },
      ...change,
    });
    void former.ended.then(() => {
      state.isEnded = true;
    });
    return { former, opened, counters, taken, state };
  }

  test('takes what the broker kept for each, and leaves none behind', async () => {
    await leave(...CLIENT_IDS);
    await tell(BOX_TOPIC, 'kept', false);
    const { taken, state, counters } = begin();
    await world.runFor(20_000);
    expect(state.isEnded).toBe(true);
    expect(taken).toEqual(CLIENT_IDS.map(() => 'kept'));
    expect(counters.read()['formerSessions.ended']).toBe(CLIENT_IDS.length);
    expect(CLIENT_IDS.filter(isKept)).toEqual([]);
  });

  test.each([
    ['one', 'partitions'],
    ['partitions', 'one'],
  ] as const)('tells that there may be both until it is done, and then %s alone', async (kind, before) => {
    await tell(topics.sessions, before);
    const { state } = begin({ kind });
    await world.runFor(20_000);
    expect(state.isEnded).toBe(true);
    expect(told).toEqual([before, 'one partitions', kind]);
  });

  test('is done once: the next start opens none of them', async () => {
    begin();
    await world.runFor(20_000);
    const { state, opened } = begin();
    await world.runFor(2_000);
    expect(state.isEnded).toBe(true);
    expect(opened).toEqual(['looker']);
    expect(world.warnings).toEqual([]);
  });

  test('keeps a start waiting for some seconds only where there are none', async () => {
    const clientIds = Array.from({ length: PARTITIONS }, (_, partition) => `service-${partition}`);
    const { state, counters, opened } = begin({ clientIds });
    await world.runFor(6_000);
    expect(state.isEnded).toBe(true);
    expect(new Set(opened)).toEqual(new Set(['looker', ...clientIds]));
    expect(counters.read()['formerSessions.ended']).toBeUndefined();
  });

  test('takes from a session as long as something comes, and what comes is not all committed', async () => {
    await leave('service-p00');
    let isIdle = true;
    const { taken, state } = begin({ isIdle: () => isIdle });
    await world.runFor(3_000);
    for (const text of ['1', '2', '3', '4']) {
      await tell(BOX_TOPIC, text, false);
      await world.runFor(limits.formerQuietMs - 500);
    }
    isIdle = false;
    await world.runFor(2 * limits.formerQuietMs);
    await tell(BOX_TOPIC, '5', false);
    isIdle = true;
    await world.runFor(limits.formerQuietMs - 500);
    expect(state.isEnded).toBe(false);
    await world.runFor(3_000);
    expect(state.isEnded).toBe(true);
    expect(taken).toEqual(['1', '2', '3', '4', '5']);
  });

  test('does not wait for ever where a fleet is never quiet', async () => {
    await leave('service-p00');
    const { state } = begin();
    const endMs = world.time.nowMs() + limits.formerDrainMs + 5_000;
    for (let count = 0; world.time.nowMs() < endMs; count += 1) {
      await tell(BOX_TOPIC, `${count}`, false);
      await world.runFor(1_000);
    }
    expect(state.isEnded).toBe(true);
    expect(isKept('service-p00')).toBe(false);
  });

  test('touches nothing at the broker of another installation, says whose it is, and goes on once it is free', async () => {
    await leave('service-p00');
    await tell(topics.installation, 'INSTALL2');
    const { former, opened, counters } = begin();
    await world.runFor(20_000);
    expect(former.refusal()).toContain('INSTALL2');
    expect(counters.read()['uplink.refused']).toBeGreaterThan(0);
    expect(new Set(opened)).toEqual(new Set(['looker']));
    expect(told).toEqual([]);
    await tell(topics.installation, '');
    await world.runFor(limits.lastBackoffMs + 20_000);
    expect(former.refusal()).toBeUndefined();
    expect(told.at(-1)).toBe('one');
  });

  test('waits for the backend that does it, however long that takes', async () => {
    await tell(topics.sessions, 'partitions');
    const { state, opened } = begin({ isOursToDo: () => false });
    await world.runFor(10 * 60_000);
    expect(state.isEnded).toBe(false);
    await tell(topics.sessions, 'one');
    await world.runFor(2 * limits.formerLookMs);
    expect(state.isEnded).toBe(true);
    expect(opened).toEqual(['looker']);
  });

  test('waits for a while where it hears nothing, and then goes on with a warning', async () => {
    const { state } = begin({ isOursToDo: () => false });
    await world.runFor(limits.formerSilentMs);
    expect(state.isEnded).toBe(false);
    await world.runFor(2 * limits.brokerHolderMs + limits.formerLookMs);
    expect(state.isEnded).toBe(true);
    expect(world.warnings.map(({ fields }) => fields)).toEqual([{ topic: topics.sessions }]);
  });

  test('is begun again where the connection that looks ends meanwhile', async () => {
    await tell(topics.sessions, 'partitions');
    const { state, opened, counters } = begin({ isOursToDo: () => false });
    await world.runFor(5_000);
    world.networkFaults.cut('looker');
    await world.runFor(5_000);
    expect(opened).toEqual(['looker', 'looker']);
    expect(counters.read()['formerSessions.failed']).toBe(1);
    await tell(topics.sessions, 'one');
    await world.runFor(2 * limits.formerLookMs);
    expect(state.isEnded).toBe(true);
  });

  test('has what was held of a session that is cut forgotten, and takes it again', async () => {
    await leave('service-p00');
    await tell(BOX_TOPIC, 'kept', false);
    let isStored = false;
    const held: string[] = [];
    const { state } = begin({
      isIdle: () => isStored,
      message: (_topic, payload, _retained, acknowledge) => {
        held.push(textOf(payload));
        if (isStored) acknowledge();
      },
    });
    await world.runFor(4_000);
    expect(held).toEqual(['kept']);
    const before = state.lost;
    world.networkFaults.cut('service-p00');
    isStored = true;
    await world.runFor(20_000);
    expect(state.lost).toBeGreaterThan(before);
    expect(held).toEqual(['kept', 'kept']);
    expect(state.isEnded).toBe(true);
  });

  test('severed, takes nothing more and leaves the rest with the broker', async () => {
    await leave('service-p00');
    const { former, taken, state, opened } = begin();
    await world.runFor(3_000);
    expect(opened).toContain('service-p00');
    former.sever();
    const attempts = opened.length;
    await world.runFor(1_000);
    await tell(BOX_TOPIC, 'later', false);
    await world.runFor(2 * limits.lastBackoffMs);
    expect(taken).toEqual([]);
    expect(opened.length).toBe(attempts);
    expect([state.isEnded, state.severed]).toEqual([false, 1]);
    expect(world.mqttBroker.connected).toEqual(['admin']);
    expect(isKept('service-p00')).toBe(true);
  });

  test('severed while a session is being opened, leaves with the broker what comes over it', async () => {
    const instance = world.instance('backend');
    const opening = Promise.withResolvers<MqttSession>();
    let events: MqttSessionEvents | undefined;
    const mqtt: MqttClient = {
      open(options, own) {
        if (options.clientId === 'looker') return instance.mqtt.open(options, own);
        events = own;
        return opening.promise;
      },
    };
    const { former, taken } = begin({ world: { ...instance, mqtt }, clientIds: ['service-p00'] });
    await world.runFor(3_000);
    former.sever();
    let acknowledged = 0;
    let dropped = 0;
    opening.resolve({
      present: true,
      publish: () => Promise.resolve(),
      subscribe: () => Promise.resolve(),
      end: () => Promise.resolve(),
      drop: () => {
        dropped += 1;
      },
    });
    events?.message(BOX_TOPIC, bytesOf('kept'), false, () => {
      acknowledged += 1;
    });
    await world.runFor(1_000);
    expect([taken, acknowledged, dropped]).toEqual([[], 0, 1]);
  });

  test('severed while the broker is away, does not come back', async () => {
    world.mqttBroker.setDown(true);
    const { former, opened } = begin();
    await world.runFor(10_000);
    expect(opened.length).toBeGreaterThan(1);
    former.sever();
    const attempts = opened.length;
    world.mqttBroker.setDown(false);
    await world.runFor(2 * limits.lastBackoffMs);
    expect(opened.length).toBe(attempts);
  });
});
