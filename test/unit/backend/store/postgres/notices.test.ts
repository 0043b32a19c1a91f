import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WakeUp } from '../../../../../backend/store/port/wake-ups.ts';
import { payloadsOf, wakeUpOf } from '../../../../../backend/store/postgres/notices.ts';

/** PostgreSQL, NOTIFY: shorter than this. */
const PAYLOAD_BYTES = 8_000;

const wakeUps: fc.Arbitrary<WakeUp> = fc.oneof(
  fc.record({
    kind: fc.constant('settled' as const),
    requestIds: fc.array(fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/), { minLength: 1, maxLength: 60 }),
  }),
  fc.record({
    kind: fc.constant('messages' as const),
    partitions: fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 64 }),
  }),
  fc.record({
    kind: fc.constant('onboarded' as const),
    boxIds: fc.array(fc.stringMatching(/^[0-9a-f]{16}$/), { maxLength: 20 }),
  }),
  fc.constant({ kind: 'bulk' as const }),
  fc.constant({ kind: 'subscriptions' as const }),
  fc.constant({ kind: 'leases' as const }),
);

const settled = (count: number): WakeUp => ({
  kind: 'settled',
  requestIds: Array.from({ length: count }, (_, index) => `01JGF8000000000000000${10_000 + index}`),
});

describe('a notice', () => {
  test('is read by others as what it told, and by its own store not at all', () => {
    fc.assert(
      fc.property(wakeUps, (wakeUp) => {
        const payloads = payloadsOf(wakeUp, 'one');
        expect(payloads.map((payload) => wakeUpOf(payload, 'other'))).toEqual([wakeUp]);
        expect(payloads.map((payload) => wakeUpOf(payload, 'one'))).toEqual([undefined]);
      }),
    );
  });

  test('of many requests is several, each small enough, and of too many only that something happened', () => {
    for (const count of [1, 200, 300, 600, 700]) {
      const payloads = payloadsOf(settled(count), 'one');
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(PAYLOAD_BYTES);
      const told = payloads.map((payload) => wakeUpOf(payload, 'other'));
      const named = told.flatMap((wakeUp) => (wakeUp?.kind === 'settled' ? wakeUp.requestIds : []));
      expect({ kind: 'settled', requestIds: named }).toEqual(settled(count));
    }
    const payloads = payloadsOf(settled(5_000), 'one');
    expect(payloads.map((payload) => wakeUpOf(payload, 'other'))).toEqual([{ kind: 'anything' }]);
  });

  test('of somebody else is none', () => {
    for (const payload of [
      undefined,
      '',
      'hello',
      '7',
      'null',
      '{}',
      '{"by":"two","wakeUp":7}',
      '[{"kind":1}]',
    ])
      expect(wakeUpOf(payload, 'one')).toBeUndefined();
  });
});
