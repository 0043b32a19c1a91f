import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Liveness,
  type Look,
  livenessAfter,
  lookOfError,
  NEVER_HEARD,
  silenceOf,
  silencesAt,
} from '../../../../console/page/state/silence.ts';
import type { ConsoleStatus } from '../../../../console/stream/health.ts';

const livenessOf = (...looks: readonly (readonly [nowMs: number, look: Look])[]): Liveness =>
  looks.reduce((before, [nowMs, status]) => livenessAfter(before, nowMs, status), NEVER_HEARD);

describe('who does not answer', () => {
  test('is nobody before the first look, and nobody while all answer', () => {
    expect(silencesAt(NEVER_HEARD, 5_000)).toEqual([]);
    expect(silencesAt(livenessOf([1_000, {}]), 5_000)).toEqual([]);
  });

  test('is told with the age of what was told last, until it answers again', () => {
    const serviceSilence = 'The service does not answer: ECONNREFUSED.';
    const silent = livenessOf([1_000, {}], [3_000, { serviceSilence }], [5_000, { serviceSilence }]);
    expect(silencesAt(silent, 7_000)).toEqual([{ source: 'service', why: serviceSilence, ageMs: 6_000 }]);
    expect([silenceOf(silent, 'service'), silenceOf(silent, 'simulator')]).toEqual([
      serviceSilence,
      undefined,
    ]);
    expect(silencesAt(livenessAfter(silent, 8_000, {}), 9_000)).toEqual([]);
  });

  test('has no age where it has never answered on this page', () => {
    const silent = livenessOf([1_000, { simulatorSilence: 'The simulator does not answer: 500.' }]);
    expect(silencesAt(silent, 2_000)).toMatchObject([{ source: 'simulator', ageMs: undefined }]);
  });

  test('is the console alone where that does not answer: of the others nothing is known', () => {
    const silent = livenessOf([1_000, { serviceSilence: 'no' }], [3_000, undefined]);
    expect(silencesAt(silent, 4_000)).toMatchObject([{ source: 'console', ageMs: 3_000 }]);
    for (const source of ['console', 'simulator', 'service'] as const)
      expect(silenceOf(silent, source), source).toBe('The console does not answer.');
  });

  test.each([502, 504, 500, 0])(
    'is the console where HTTP status %i comes instead of its status',
    (httpStatus) => {
      const silent = livenessOf([1_000, {}], [3_000, lookOfError(httpStatus)]);
      expect(silencesAt(silent, 4_000)).toMatchObject([{ source: 'console', ageMs: 3_000 }]);
    },
  );

  test.each([401, 404, 429])(
    'stays as it was, except for the console, where the console refuses with HTTP status %i',
    (httpStatus) => {
      const serviceSilence = 'The service does not answer: ECONNREFUSED.';
      const known = livenessOf([1_000, {}], [3_000, { serviceSilence }], [5_000, undefined]);
      const refused = livenessAfter(known, 7_000, lookOfError(httpStatus));
      expect(silencesAt(refused, 8_000)).toEqual([{ source: 'service', why: serviceSilence, ageMs: 7_000 }]);
      expect(refused.simulator).toEqual(known.simulator);
      expect(refused.console).toEqual({ atMs: 7_000, silence: undefined });
    },
  );

  test('never counts as answering, and whoever answered last never as silent, whatever came before', () => {
    const text = fc.option(fc.string(), { nil: undefined });
    const status = fc.option(
      fc.record({ simulatorSilence: text, serviceSilence: text }) as fc.Arbitrary<ConsoleStatus>,
      { nil: undefined },
    );
    fc.assert(
      fc.property(fc.array(status), status, (earlier, last) => {
        const looks = [...earlier, last].map((one, index) => [index * 2_000, one] as const);
        const liveness = livenessOf(...looks);
        expect(silenceOf(liveness, 'console') === undefined).toBe(last !== undefined);
        expect(silenceOf(liveness, 'simulator') === undefined).toBe(
          last !== undefined && last.simulatorSilence === undefined,
        );
        expect(silenceOf(liveness, 'service') === undefined).toBe(
          last !== undefined && last.serviceSilence === undefined,
        );
        for (const { ageMs = 1 } of silencesAt(liveness, looks.length * 2_000))
          expect(ageMs).toBeGreaterThan(0);
      }),
    );
  });
});
