import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../../judge/evidence/fact.ts';
import { causeBefore } from '../../../../scenarios/run/last-change/change-cause.ts';

const LOCKED = { of: 'truth' as const, place: ['locked'] };
const CONNECTED = { of: 'connected' as const, place: [] };

const call = (number: number, atMs: number, what: string, vehicle?: number): Fact => ({
  kind: 'call',
  call: number,
  atMs,
  what,
  as: 'owner',
  ...(vehicle === undefined ? {} : { vehicle }),
});
const answer = (number: number, atMs: number, status: number): Fact => ({
  kind: 'answer',
  call: number,
  atMs,
  status,
  tookMs: 1,
});
const fault = (name: string, atMs: number, phase: 'begins' | 'ends', vehicles: number[] = []): Fact => ({
  kind: 'fault',
  name,
  detail: '',
  atMs,
  phase,
  vehicles,
});
const act = (name: string, atMs: number, vehicle: number, refusal?: string): Fact => ({
  kind: 'act',
  name,
  atMs,
  vehicle,
  ...(refusal === undefined ? {} : { refusal }),
});
const textOf = (facts: readonly Fact[], looked: Parameters<typeof causeBefore>[1] = LOCKED) =>
  causeBefore(facts, looked, 1, 100_000)?.text;

describe('what changed a value', () => {
  test.each([409, 404, 403, 503])('is no call that was refused with %i', (status) => {
    const refused = [call(1, 50_000, 'command unlock', 1), answer(1, 51_000, status)];
    expect(textOf(refused)).toBeUndefined();
    expect(textOf([act('drive', 10_000, 1), ...refused])).toBe('drive');
  });

  test.each([200, 504, 0, undefined])(
    'may be a call with the answer %s: it may have been carried out',
    (status) => {
      const answers = status === undefined ? [] : [answer(1, 51_000, status)];
      expect(textOf([call(1, 50_000, 'command unlock', 1), ...answers])).toBe('call 1 (command unlock)');
    },
  );

  test('is nothing that only read, or was about another vehicle, or was refused, or came after it', () => {
    const facts = [
      call(1, 50_000, 'get /vehicles/{vehicle}', 1),
      call(2, 50_000, 'command unlock', 2),
      act('open', 50_000, 2),
      act('open', 60_000, 1, 'It drives.'),
      fault('box reset', 60_000, 'begins', [2]),
      call(3, 100_001, 'command unlock', 1),
    ];
    expect(textOf(facts)).toBeUndefined();
  });

  test('may be what was about everything', () => {
    expect(textOf([call(1, 50_000, 'bulk')])).toBe('call 1 (bulk)');
    expect(textOf([fault('broker restart', 50_000, 'ends')], CONNECTED)).toBe('the end of broker restart');
  });

  test('is no weather where a bolt moved, but where the session went', () => {
    const facts = [act('close', 10_000, 1), fault('weather latency', 50_000, 'begins', [1])];
    expect(textOf(facts)).toBe('close');
    expect(textOf(facts, CONNECTED)).toBe('weather latency');
    expect(textOf(facts, { of: 'truth', place: ['csq'] })).toBe('weather latency');
  });

  test('may be an act that is noted some milliseconds after what it did', () => {
    expect(textOf([act('bluetooth', 100_008, 1)])).toBe('bluetooth');
  });
});
