import { expect, test } from 'vitest';
import type { AnsweredCall } from '../../../../judge/evidence/evidence.ts';
import type { Fact } from '../../../../judge/evidence/fact.ts';
import { messagesPastMissingQueues } from '../../../../judge/rules/missing-queues.ts';

const STATES = 'VehicleState_v1';

function fault(name: string, atMs: number, phase: 'happens' | 'ends' = 'happens'): Fact {
  const detail = JSON.stringify({ topic: STATES, fleet: 'own' });
  return { kind: 'fault', name, atMs, phase, detail, vehicles: [] };
}

function message(atMs: number, topic = STATES): Fact {
  const about = { vehicle: 1, vehicleId: 'VEH01', name: 'VehicleStateReceived' } as const;
  return { kind: 'message', atMs, ...about, queue: `${topic}-mine`, messageId: `${atMs}` };
}

function past(facts: readonly Fact[], calls: readonly Partial<AnsweredCall>[] = []): readonly number[] {
  return messagesPastMissingQueues(facts, calls as readonly AnsweredCall[]).map(({ atMs }) => atMs);
}

test('a message goes past a queue that was deleted until the service must have looked, and not after it', () => {
  const deleted = fault('exchange queue-deleted', 10_000);
  const facts = [message(9_999), deleted, message(10_001), message(15_900), message(16_001)];
  expect(past(facts)).toEqual([10_001, 15_900]);
  expect(past([deleted, message(11_000, 'DamageDetected_v1')])).toEqual([]);
  expect(past([message(10_001)])).toEqual([]);
});

test('the first subscription after it, and the end of a blocked broker, begin to hide it anew', () => {
  const subscribe = (askedMs: number) => ({
    method: 'POST',
    path: '/message-subscriptions',
    status: 201,
    sent: { topics: [STATES] },
    askedMs,
    answeredMs: askedMs + 50,
  });
  const deleted = fault('exchange queue-deleted', 10_000);
  const facts = [deleted, message(30_500), message(32_000), message(40_500)];
  expect(past(facts, [subscribe(30_000), subscribe(40_000)])).toEqual([30_500]);
  expect(past([...facts, fault('exchange blocked', 31_500, 'ends')])).toEqual([32_000]);
});
