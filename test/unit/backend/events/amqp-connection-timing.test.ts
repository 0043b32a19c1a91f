import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import type { FleetQueue } from '../../../../backend/events/topology.ts';
import { CONNECTED_MS, OPENING_MS, openConnection } from '../../../support/backend/amqp-connection-stage.ts';

describe('the connection to the AMQP broker, where something comes while something else is under way,', () => {
  test('is not open once it is unblocked if its queues are not declared yet, and counts neither', async () => {
    const { connection, pass, sessions, counters, opened } = openConnection();
    await pass(OPENING_MS + 1);
    for (const isBlocked of [true, false]) sessions[0]?.events.blocked(isBlocked);
    expect([connection.condition(), opened()]).toEqual(['away', 0]);
    await pass(CONNECTED_MS);
    expect([connection.condition(), opened()]).toEqual(['open', 1]);
    expect(counters.read()).not.toHaveProperty('outlet.blocked');
    expect(counters.read()).not.toHaveProperty('outlet.unblocked');
  });

  test('takes no word from a session that has ended for one about the session after it', async () => {
    const { connection, pass, sessions, counters } = openConnection();
    await pass(CONNECTED_MS);
    sessions[0]?.events.closed('cut');
    await pass(limits.lastBackoffMs + CONNECTED_MS);
    expect(sessions).toHaveLength(2);
    sessions[0]?.events.blocked(true);
    expect(connection.condition()).toBe('open');
    expect(counters.read()).not.toHaveProperty('outlet.blocked');
  });

  test('is away while a stop waits for its session to close', async () => {
    const { connection, pass, sessions } = openConnection({ closingMs: 1_000 });
    await pass(CONNECTED_MS);
    let isStopped = false;
    const stopped = connection.stop().then(() => {
      isStopped = true;
    });
    await pass(500);
    expect([isStopped, connection.condition(), connection.session()]).toEqual([false, 'away', undefined]);
    await pass(500);
    await stopped;
    expect(sessions.map(({ closes }) => closes)).toEqual([1]);
  });

  test('reads subscriptions once more that change while the store is asked, and believes the last answer', async () => {
    let stored: readonly FleetQueue[] = [];
    let isHeld = false;
    let release = (): void => undefined;
    const { connection, pass } = openConnection({}, async () => {
      const answer = stored;
      if (isHeld)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return answer;
    });
    await pass(CONNECTED_MS);
    [stored, isHeld] = [[{ name: 'three', fleetId: 'FLEET3' }], true];
    connection.subscribedElsewhere();
    [stored, isHeld] = [[], false];
    connection.subscribedElsewhere();
    await pass(1);
    release();
    await pass(1);
    expect(connection.queueState({ fleetId: 'FLEET3', name: 'VehicleStateReceived' })).toBe('none');
  });

  test('declares a missing queue once its node is back, though no other takes the same messages by then', async () => {
    const { connection, pass, broker } = openConnection({ missing: new Set() });
    await pass(CONNECTED_MS);
    broker.missing?.add('two');
    Object.assign(broker, { refuses: ['two'], refusal: "home node 'rabbit@one' is down or inaccessible" });
    await pass(limits.sharedQueueLookMs + OPENING_MS);
    connection.removing(['one']);
    broker.refuses = [];
    await pass(limits.unreachableQueueLookMs + OPENING_MS);
    expect(connection.queueState({ fleetId: 'FLEET1', name: 'VehicleStateReceived' })).toBe('declared');
    expect([...(broker.missing ?? [])]).toEqual([]);
  });

  test('looks at two new queues that take the same messages, though no others did until then', async () => {
    const { connection, pass, looks } = openConnection();
    await pass(CONNECTED_MS);
    connection.removing(['one', 'two']);
    await pass(2 * limits.sharedQueueLookMs);
    expect(looks).toEqual([]);
    connection.added(['three', 'four'].map((name) => ({ name, fleetId: 'FLEET3' })));
    await pass(limits.sharedQueueLookMs);
    expect(looks).toEqual(['three', 'four']);
  });
});
