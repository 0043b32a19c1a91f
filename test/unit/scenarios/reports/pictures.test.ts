import { describe, expect, test } from 'vitest';
import { boxTimelinesOf } from '../../../../scenarios/reports/html/box-timeline.ts';
import { htmlPage } from '../../../../scenarios/reports/html/page.ts';
import type { RunOutcome } from '../../../../scenarios/run/outcome.ts';
import { START_MS } from '../../../support/scenarios/any-outcome.ts';
import { FAILED_OUTCOME, FAILED_RUN } from '../../../support/scenarios/failed-outcome.ts';

const steps = [1, 2].map((step) => ({
  atMs: START_MS + 120_000,
  kind: 'step' as const,
  step,
  phase: 'begins' as const,
}));

describe('a picture', () => {
  test('names steps by their actions, calls by their answers, and expectations by their values', () => {
    const page = htmlPage(
      [{ ...FAILED_RUN, outcome: { ...FAILED_OUTCOME, facts: [...FAILED_OUTCOME.facts, ...steps] } }],
      0,
    );
    expect(page).toContain('>step 2 weather coverage none<');
    expect(page).toContain('>step 3 command unlock-central-lock<');
    expect(page).toContain('>command unlock-central-lock 200<');
    expect(page).toContain('>cut<');
    const met = FAILED_OUTCOME.expectations.map((one) => ({ ...one, result: 'passed' as const }));
    const good = htmlPage([{ ...FAILED_RUN, outcome: { ...FAILED_OUTCOME, expectations: met } }], 0);
    expect(good).toContain('met for all 2, such as: vehicle 1: status 504');
  });

  test('draws a link that is down lower, so that it differs from one that is up without colours', () => {
    const states = ['ready', 'offline', 'ready'] as const;
    const facts = states.map((state, index) => ({
      atMs: START_MS + index * 100_000,
      kind: 'connectivity' as const,
      vehicle: 1,
      state,
    }));
    const page = htmlPage([{ ...FAILED_RUN, outcome: { ...FAILED_OUTCOME, facts } }], 0);
    const heights = [...page.matchAll(/<rect[^>]*height="(\d+)" class="band (\w+)"/g)].map(
      ([, height, look]) => `${look} ${height}`,
    );
    expect(heights).toEqual(['ready 14', 'offline 4', 'ready 14']);
  });

  test('shades times without data, and draws no empty journal there', () => {
    const facts = [{ atMs: START_MS + 150_000, kind: 'journal' as const, vehicle: 1, held: 4 }];
    const of = (factsDropped: number) =>
      htmlPage([{ ...FAILED_RUN, outcome: { ...FAILED_OUTCOME, facts, factsDropped } }], 0);
    expect(of(0)).not.toContain('not kept');
    expect(of(0)).toMatch(/class="depth-line"[^>]*/);
    expect(of(0)).toContain('d="M92 ');
    expect(of(9)).toContain('not kept');
    expect(of(9)).not.toContain('d="M92 ');
  });

  test('is complete for the first vehicles, and has the remaining data of the others, whatever faults they had', () => {
    const journal = { kind: 'journal' as const, held: 4 };
    const facts: RunOutcome['facts'] = [
      { atMs: START_MS, kind: 'service', state: 'up', reason: 'the run begins' },
      { atMs: START_MS, kind: 'fault', name: 'cut', detail: '{}', vehicles: [1, 99], phase: 'happens' },
      { atMs: START_MS + 150_000, ...journal, vehicle: 99 },
      { atMs: START_MS + 150_000, ...journal, vehicle: 1 },
    ];
    const lanes = boxTimelinesOf({ ...FAILED_OUTCOME, facts, factsDropped: 9 }, [1, 99]);
    expect([0, 1, 99].map((number) => lanes.get(number)?.knownFromMs)).toEqual([0, 0, 150_000]);
  });
});
