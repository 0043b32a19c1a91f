import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../../judge/evidence/fact.ts';
import { reportLimits } from '../../../../scenarios/limits.ts';
import { factText } from '../../../../scenarios/reports/fact-text.ts';
import type { RunFailure } from '../../../../scenarios/reports/failure.ts';
import { timelineAround } from '../../../../scenarios/reports/timeline.ts';
import { START_MS } from '../../../support/scenarios/any-outcome.ts';
import { FAILED_OUTCOME } from '../../../support/scenarios/failed-outcome.ts';

const AT_MS = START_MS + 720_000;
const FAILURE: RunFailure = {
  of: 'steps[2].expect[0]',
  name: 'step 3 expect 1',
  kind: 'expectation',
  text: 'no',
  vehicle: 2,
  atMs: AT_MS,
};

function around(facts: readonly Fact[]): { readonly texts: readonly string[]; readonly leftOut: number } {
  const { lines, leftOut } = timelineAround(FAILURE, { ...FAILED_OUTCOME, facts });
  return { texts: lines.map(({ text }) => text), leftOut };
}

function nack(phase: 'begins' | 'ends', atMs: number, vehicles: readonly number[] = []): Fact {
  return { atMs, kind: 'fault', name: 'exchange nack', detail: '', vehicles, phase };
}

const notMet: Fact = {
  atMs: AT_MS,
  kind: 'expectation',
  step: 2,
  expectation: 0,
  vehicle: 2,
  isMet: false,
  text: 'no',
};

describe('what is in force at a failure', () => {
  test('is told where the failure ends the run, and so lifts it in the same millisecond', () => {
    const { texts } = around([nack('begins', START_MS + 10_000), notMet, nack('ends', AT_MS)]);
    expect(texts).toContain('still so: fault begins: exchange nack');
    expect(texts).toContain('fault ends: exchange nack');
  });

  test('is told of a service that comes back in the same millisecond', () => {
    const service = { kind: 'service' as const, reason: 'backend stop' };
    const { texts } = around([
      { ...service, state: 'down', atMs: START_MS },
      notMet,
      { ...service, state: 'up', atMs: AT_MS },
    ]);
    expect(texts).toContain('still so: the service is down: backend stop');
  });

  test('is not told of what ended before, or struck another vehicle', () => {
    const { texts } = around([
      nack('begins', START_MS + 10_000),
      nack('begins', START_MS + 10_000, [1]),
      nack('ends', AT_MS - 100_000),
      notMet,
    ]);
    expect(texts.filter((text) => text.includes('nack'))).toEqual([]);
  });

  test('is told of a fault that was laid twice and ended once', () => {
    const { texts } = around([
      nack('begins', START_MS + 10_000),
      nack('begins', START_MS + 20_000),
      nack('ends', START_MS + 30_000),
      notMet,
    ]);
    expect(texts.filter((text) => text.startsWith('still so: fault begins'))).toHaveLength(1);
  });
});

describe('a timeline that is too long', () => {
  test('keeps the fault and the call before messages, whatever their order', () => {
    const message = { kind: 'message' as const, vehicle: 2, vehicleId: 'BBB22', name: 'M', queue: 'q' };
    const many = Array.from(
      { length: 40 },
      (_, index): Fact => ({ ...message, messageId: `${index}`, atMs: AT_MS - 30_000 + index }),
    );
    const call: Fact = { kind: 'call', call: 1, vehicle: 2, what: 'command', as: 'o', atMs: AT_MS - 50_000 };
    const { texts, leftOut } = around([nack('begins', AT_MS - 55_000), call, ...many, notMet]);
    expect(texts).toContain('fault begins: exchange nack');
    expect(texts).toContain('call 1, vehicle 2: command, as o');
    expect(texts.at(-1)).toContain('NOT met');
    expect(leftOut).toBe(43 - reportLimits.linesBefore);
  });

  test('leaves out no fault that is in force, and no fault or call in place of what matters less', () => {
    const near = fc.integer({ min: AT_MS - reportLimits.beforeMs, max: AT_MS });
    const fact = fc.oneof(
      fc
        .tuple(fc.constantFrom('begins' as const, 'ends' as const), near)
        .map(([phase, atMs]) => nack(phase, atMs)),
      near.map((atMs) => ({ atMs, kind: 'call' as const, call: atMs, vehicle: 2, what: 'c', as: 'o' })),
      near.map((atMs) => ({ atMs, kind: 'connectivity' as const, vehicle: 2, state: 'ready' as const })),
      near.map((atMs) => ({
        atMs,
        kind: 'message' as const,
        vehicle: 2,
        vehicleId: 'B',
        name: 'M',
        queue: 'q',
        messageId: `${atMs}`,
      })),
    );
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 80 }), (drawn) => {
        const facts = drawn.map((one): Fact => one).sort((one, other) => one.atMs - other.atMs);
        const { texts, leftOut } = around(facts);
        const shown = texts.filter(
          (text) => !text.startsWith('still so') && !text.startsWith('vehicle 2 of'),
        );
        expect(shown.length).toBe(Math.min(facts.length, reportLimits.linesBefore));
        const inOrder = facts.map((one) => factText(one, FAILED_OUTCOME));
        expect(shown.filter((text) => !inOrder.includes(text))).toEqual([]);
        const count = (word: string, of: readonly string[]) =>
          of.filter((text) => text.startsWith(word)).length;
        const isCut =
          count('fault', shown) + count('call', shown) < count('fault', inOrder) + count('call', inOrder);
        if (isCut) expect(count('message', shown) + count('vehicle', shown)).toBe(0);
        expect(leftOut).toBeGreaterThanOrEqual(facts.length - shown.length);
      }),
    );
  });
});
