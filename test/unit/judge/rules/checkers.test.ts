import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHECKER_NAMES } from '../../../../judge/checkers.ts';
import type { QueuedMessage } from '../../../../judge/evidence/evidence.ts';
import type { Fact } from '../../../../judge/evidence/fact.ts';
import type { CheckScope } from '../../../../judge/rules/check.ts';
import { CHECKS } from '../../../../judge/rules/checks.ts';
import { Findings } from '../../../../judge/rules/findings.ts';
import { limits } from '../../../../judge/rules/limits.ts';
import {
  anyRightRecordings,
  type RunRecordings,
  START_MS,
  ulidOf,
} from '../../../support/checkers/any-recordings.ts';
import { BOX_FAULTS } from '../../../support/checkers/box-faults.ts';
import { BULK_FAULTS } from '../../../support/checkers/bulk-faults.ts';
import { CALL_FAULTS } from '../../../support/checkers/call-faults.ts';
import { scopeOf } from '../../../support/checkers/checker-scope.ts';
import { EFFECT_FAULTS } from '../../../support/checkers/effect-faults.ts';
import { FLOW_FAULTS } from '../../../support/checkers/flow-faults.ts';
import { GUARD_FAULTS } from '../../../support/checkers/guard-faults.ts';
import { JOB_RESULT_FAULTS } from '../../../support/checkers/job-result-faults.ts';
import { MOVE_FAULTS } from '../../../support/checkers/move-faults.ts';
import { OUTCOME_FAULTS } from '../../../support/checkers/outcome-faults.ts';
import { PARTITION_FAULTS } from '../../../support/checkers/partition-faults.ts';
import { QUOTA_FAULTS } from '../../../support/checkers/quota-faults.ts';
import { READ_FAULTS } from '../../../support/checkers/read-faults.ts';
import { RECORD_FAULTS } from '../../../support/checkers/record-faults.ts';
import { REPLY_FAULTS } from '../../../support/checkers/reply-faults.ts';
import { SERVICE_FAULTS } from '../../../support/checkers/service-faults.ts';
import { SUCCESS_FAULTS } from '../../../support/checkers/success-faults.ts';
import { TRUTH_FAULTS } from '../../../support/checkers/truth-faults.ts';

const FAULTS = [
  ...RECORD_FAULTS,
  ...CALL_FAULTS,
  ...BULK_FAULTS,
  ...FLOW_FAULTS,
  ...GUARD_FAULTS,
  ...SUCCESS_FAULTS,
  ...READ_FAULTS,
  ...TRUTH_FAULTS,
  ...BOX_FAULTS,
  ...JOB_RESULT_FAULTS,
  ...PARTITION_FAULTS,
  ...EFFECT_FAULTS,
  ...OUTCOME_FAULTS,
  ...MOVE_FAULTS,
  ...QUOTA_FAULTS,
  ...SERVICE_FAULTS,
  ...REPLY_FAULTS,
];

async function foundBy(scope: CheckScope): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const checker of CHECKER_NAMES) {
    const { findings } = await CHECKS[checker](scope);
    if (findings.length > 0)
      found.set(
        checker,
        findings.map(({ text }) => text),
      );
  }
  return found;
}

describe('a run in which nothing goes wrong', () => {
  test('passes every checker', async () => {
    await fc.assert(
      fc.asyncProperty(anyRightRecordings, async (history) => {
        expect(await foundBy(scopeOf(history))).toEqual(new Map());
      }),
      { numRuns: 40 },
    );
  });
});

describe('one fault in any run is found by its checker, and by no others than expected', () => {
  test.each(FAULTS)('$name: $checker', async ({ checker, also = [], plant }) => {
    await fc.assert(
      fc.asyncProperty(anyRightRecordings, fc.nat(), async (history, pick) => {
        const words = plant(history, pick);
        fc.pre(words.length > 0);
        const found = await foundBy(scopeOf(history));
        expect(new Set(found.keys())).toEqual(new Set([checker, ...also]));
        const text = (found.get(checker) ?? []).join('\n');
        for (const word of words) expect(text).toContain(word);
      }),
      { numRuns: 15 },
    );
  });

  test('every checker has a fault', () => {
    expect(new Set(FAULTS.map(({ checker }) => checker))).toEqual(new Set(CHECKER_NAMES));
  });
});

describe('repeated messages', () => {
  /** The last message of the first vehicle again, behind those of another one; and before it the one before it. */
  function repeated(history: RunRecordings, count: number): CheckScope {
    const [first] = history.vehicles;
    const queue = history.messages.get('VehicleState_v1-own') ?? [];
    const own = queue.filter(({ vehicleId }) => vehicleId === first?.vehicle.vehicleId);
    const [last] = own.slice(-1);
    if (last !== undefined)
      queue.push({ ...last, messageId: ulidOf(900_000), vehicleId: 'VEH09' }, ...distinct(own).slice(-count));
    return scopeOf(history);
  }
  const distinct = (messages: readonly QueuedMessage[]) =>
    messages.filter((one, index) => messages.findIndex((two) => two.messageId === one.messageId) === index);
  const up = (atMs: number): Fact => ({ kind: 'service', state: 'up', reason: 'a test', atMs });
  const ordered = async (scope: CheckScope) => (await CHECKS['order-per-box'](scope)).findings.length;

  test('may directly follow themselves, whatever other vehicles send in between', async () => {
    await fc.assert(
      fc.asyncProperty(anyRightRecordings, async (history) => {
        expect(await ordered(repeated(history, 1))).toBe(0);
      }),
      { numRuns: 15 },
    );
  });

  test('may go back once after a restart of the service, and not without one', async () => {
    await fc.assert(
      fc.asyncProperty(anyRightRecordings, async (history) => {
        const scope = repeated(history, 2);
        const vehicle = history.vehicles[0]?.vehicle;
        const own = scope.vehicles.filter((one) => one === vehicle);
        fc.pre(
          distinct(
            (history.messages.get('VehicleState_v1-own') ?? []).filter(
              ({ vehicleId }) => vehicleId === vehicle?.vehicleId,
            ),
          ).length > 1,
        );
        expect(await ordered({ ...scope, vehicles: own })).toBe(1);
        expect(await ordered({ ...scope, vehicles: own, facts: [up(START_MS - 2), up(START_MS - 1)] })).toBe(
          0,
        );
      }),
      { numRuns: 15 },
    );
  });
});

describe('findings', () => {
  test('are no result where nothing was compared, which the verdict says', () => {
    expect(
      new Findings().result([
        [0, 'job'],
        [2, 'vehicle'],
      ]),
    ).toMatchObject({
      result: 'passed',
      text: '0 jobs, 2 vehicles',
    });
    expect(
      new Findings().result([
        [0, 'job'],
        [0, 'vehicle'],
      ]),
    ).toEqual({
      result: 'not-seen',
      text: 'Nothing was compared: 0 jobs, 0 vehicles.',
      findings: [],
    });
  });

  test('fail a checker also where it counted nothing', () => {
    const findings = new Findings();
    findings.add('missing', 'it never came');
    expect(findings.result([[0, 'event']])).toMatchObject({ result: 'failed', text: '0 events' });
  });

  test('are reported individually up to a limit, and counted beyond it', async () => {
    const [history] = fc.sample(anyRightRecordings, 1);
    if (history === undefined) throw new Error('nothing was drawn');
    for (let number = 0; number < limits.findings + 5; number += 1)
      history.levels.push({ name: `level ${number}`, most: 2, bound: 1 });
    const { findings } = await CHECKS['within-bounds'](scopeOf(history));
    expect(findings).toHaveLength(limits.findings + 1);
    expect(findings.at(-1)?.text).toBe('over its bound: and 5 more');
  });
});
