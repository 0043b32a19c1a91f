import { expect, test } from 'vitest';
import { reportLimits } from '../../../../scenarios/limits.ts';
import { jsonReport } from '../../../../scenarios/reports/json.ts';
import { summarizeWarnings } from '../../../../scenarios/reports/warning-groups.ts';
import { START_MS } from '../../../support/scenarios/any-outcome.ts';
import { FAILED_OUTCOME, FAILED_RUN } from '../../../support/scenarios/failed-outcome.ts';

const warning = (text: string, vehicle: number) => ({ step: 1, vehicle, atMs: START_MS + vehicle, text });

test('warnings of many vehicles that say the same are one, with the first time and the vehicles', () => {
  const many = Array.from({ length: 23 }, (_, index) => warning('it never began', index + 1));
  const { groups, rest } = summarizeWarnings({ ...FAILED_OUTCOME, warnings: many });
  expect(groups).toEqual([
    {
      step: 1,
      name: 'step 2 (line 8) weather coverage none',
      atMs: START_MS + 1,
      text: 'vehicles 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 3 more: it never began',
    },
  ]);
  expect(rest).toBeUndefined();
});

test('warnings beyond the bound are counted, with where they are found', () => {
  const warnings = Array.from({ length: reportLimits.warnings + 7 }, (_, index) => warning(`no ${index}`, 1));
  const outcome = { ...FAILED_OUTCOME, warnings, warningsDropped: 3 };
  const { groups, rest } = summarizeWarnings(outcome);
  expect(groups).toHaveLength(reportLimits.warnings);
  expect(rest).toContain('and 7 more: the JSON report (--json) has each of them');
  expect(rest).toContain('3 later warnings of the run were not kept');
  const [json] = jsonReport([{ ...FAILED_RUN, outcome }], 0).scenarios;
  expect(json?.warnings).toHaveLength(warnings.length);
  expect(json?.warnings_dropped).toBe(3);
});
