import { describe, expect, test } from 'vitest';
import type { ServiceCondition } from '../../../../backend/monitoring/condition.ts';
import { readinessOf } from '../../../../backend/monitoring/health.ts';
import { outboxLimits } from '../../../../backend/store/port/outbox-limits.ts';

const T = Date.UTC(2026, 0, 1, 8);
const WELL: ServiceCondition = {
  isStopping: false,
  store: 'works',
  mqtt: 'open',
  amqp: 'open',
  accounts: 'works',
  areFilesGone: false,
  intake: { fill: 0, isHoldingBack: false, oldestMs: undefined },
  partitions: undefined,
  outbox: { messages: 3, bytes: 900, oldestMs: T - 1_000 },
};
const waiting = (ageMs: number, messages = 3) => ({ messages, bytes: 900, oldestMs: T - ageMs });

describe('readiness', () => {
  test('is ready without reasons if everything is healthy', () => {
    const { status, checks } = readinessOf(WELL, T);
    expect(status).toBe('ready');
    expect(checks.every((check) => check.status === 'ok' && check.reason === '')).toBe(true);
  });

  test('tells the partitions of a backend that shares the boxes, and how long its oldest frame waits', () => {
    const { partitions, oldest_frame_s } = readinessOf(
      {
        ...WELL,
        partitions: { held: [3, 4], backends: 32 },
        intake: { fill: 0, isHoldingBack: false, oldestMs: T - 1_500 },
      },
      T,
    );
    expect({ partitions, oldest_frame_s }).toEqual({
      partitions: { held: [3, 4], of: 64, backends: 32 },
      oldest_frame_s: 1.5,
    });
    expect(Object.keys(readinessOf(WELL, T))).toEqual(['status', 'checks']);
  });

  test.each<[string, Partial<ServiceCondition>, string, string, RegExp]>([
    ['a store that refuses commits', { store: 'refuses' }, 'not-ready', 'store', /cannot commit/],
    ['a store that cannot be read', { store: 'fails', outbox: undefined }, 'not-ready', 'store', /read/],
    ['no session with the MQTT broker', { mqtt: 'away' }, 'not-ready', 'mqtt', /Commands are not sent/],
    [
      'the MQTT broker of another installation',
      { mqtt: 'away', mqttRefusal: 'Another installation uses it.' },
      'not-ready',
      'mqtt',
      /^Another installation uses it\. The service keeps looking\. Commands are not sent/,
    ],
    [
      'a full intake',
      { intake: { fill: 1, isHoldingBack: true, oldestMs: undefined } },
      'not-ready',
      'intake',
      /is paused/,
    ],
    ['an end', { isStopping: true }, 'not-ready', 'service', /stopping/],
    ['no message broker', { amqp: 'away' }, 'degraded', 'amqp', /3 messages wait in the outbox/],
    ['a message broker that is full', { amqp: 'blocked' }, 'degraded', 'amqp', /blocked.*3 messages wait/],
    ['files that were deleted', { areFilesGone: true }, 'degraded', 'files', /lost when it ends/],
    [
      'nobody who makes users',
      { accounts: 'away' },
      'degraded',
      'accounts',
      /Subscriptions can be neither created/,
    ],
    ['messages that wait', { outbox: waiting(301_000) }, 'degraded', 'outbox', /the oldest for 301 s/],
    [
      'messages about to be too old',
      { outbox: waiting(outboxLimits.ageMs * 0.95) },
      'degraded',
      'outbox',
      /about to be dropped/,
    ],
    [
      'almost too many messages',
      { outbox: waiting(1, outboxLimits.messages * 0.95) },
      'degraded',
      'outbox',
      /about to be dropped/,
    ],
  ])('of %s says what waits', (_, change, status, name, reason) => {
    const found = readinessOf({ ...WELL, ...change }, T);
    expect(found.status).toBe(status);
    expect(found.checks.filter((check) => check.status !== 'ok').map((check) => check.name)).toEqual([name]);
    expect(found.checks.find((check) => check.name === name)?.reason).toMatch(reason);
  });

  test('a service without a message broker is ready', () => {
    expect(readinessOf({ ...WELL, amqp: 'none' }, T).status).toBe('ready');
  });
});
