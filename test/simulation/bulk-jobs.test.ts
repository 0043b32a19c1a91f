import { describe, expect, test } from 'vitest';
import type { BulkItem } from '../../backend/store/port/bulk-store.ts';
import { BULK_PATH } from '../../contract/operation.ts';
import type { ScenarioDocument } from '../../scenarios/language/document/problem.ts';
import type { Stream } from '../../world/random/random.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { playAndInspect } from '../support/simulation/play-scenario.ts';

interface BulkJobsResult {
  /** In the order of their requests; the items of each in the order of its request. */
  readonly jobs: readonly (readonly BulkItem[])[];
  /** When the first job was requested, milliseconds since 1970. */
  readonly beganMs: number;
  readonly crashes: number;
  /** The findings of the checkers. */
  readonly findings: readonly string[];
}

const MINUTE_MS = 60_000;
const FIRST_JOB = 3;
/** Minutes after the first job at which a box without coverage gets it back. */
const RETURNS = [20, 95, 310, 715, 500] as const;
/** The vehicles of the second job: one that reconnects later, one that never does, one that is always connected. */
const SOME = { returns: 5, never: 6, there: 7 } as const;
const NEVER = 8;
const THERE = [9, 10, 11, 12] as const;
/** Configured individually. */
const ALONE = 11;
/** When the last job has ended, in minutes: it is requested at 363 and lasts 12 h. */
const END = FIRST_JOB + 360 + 12 * 60 + 2;

/**
 * Bulk jobs over 12 h: some boxes are connected, some reconnect after hours, some never, and later requests replace
 * earlier ones. `withFaults`: the service crashes, and connections become half-open.
 */
function runBulkJobs(seed: number, withFaults: boolean): Promise<BulkJobsResult> {
  const steps = [
    ...jobSteps(),
    ...(withFaults ? faultSteps(seededRandom(seed).stream('bulk-half-day')) : []),
  ];
  const build = { model: 'petrol-compact', firmware: '2.31', driving: false };
  const document: ScenarioDocument = {
    name: 'bulk-half-day',
    about: 'Bulk jobs of vehicles that are there or not.',
    seed,
    steps,
    fleet: [
      { count: 4, ...build },
      { as: 'some', count: 3, ...build },
      { count: 5, ...build },
    ],
    always: ['all'],
    limits: { duration: `${END + 5}m` },
  };
  return playAndInspect(document, async (evidence, testbed, findings) => {
    const ordered = await evidence.jobs();
    const jobs = await Promise.all(
      ordered.map(({ id }) => testbed.service.store.bulk.items({ jobId: id, afterPosition: -1, limit: 100 })),
    );
    const crashes = steps.filter((step) => 'break' in step).length;
    return { jobs, beganMs: ordered[0]?.askedMs ?? 0, crashes, findings };
  });
}

type Step = Readonly<Record<string, unknown>>;

function jobSteps(): readonly Step[] {
  const away = (box: number, minutes: number): Step => ({
    at: '1m',
    on: { box },
    weather: { coverage: 'none' },
    for: `${minutes - 1}m`,
  });
  const job = (minutes: number, on: string, bulk: object): Step => ({
    at: `${FIRST_JOB + minutes}m`,
    on,
    call: { bulk },
    expect: { status: 201 },
  });
  return [
    ...RETURNS.map((minutes, index) => away(index + 1, FIRST_JOB + minutes)),
    ...[SOME.never, NEVER].map((box) => away(box, END)),
    job(0, 'all', { tracking: { time_interval_in_seconds: 120 }, 'parking-events': { enabled: false } }),
    {
      at: `${FIRST_JOB + 1}m`,
      call: {
        request: {
          method: 'POST',
          path: BULK_PATH,
          body: { items: [{ id: 'NOSUCH1' }], feature_configuration: { tracking: {} } },
        },
      },
      expect: { status: 201 },
    },
    job(180, 'some', { tracking: { time_interval_in_seconds: 300 } }),
    job(360, 'all', { 'auto-immobilizer-control': { delay_in_seconds: 77 } }),
    {
      at: `${FIRST_JOB + 480}m`,
      on: { box: ALONE },
      expect: { status: 200 },
      call: { configure: { tracking: { time_interval_in_seconds: 33 } } },
    },
  ];
}

/**
 * A crash during the first attempts of each job, and faults at any time except around a job's request and the
 * individual configuration.
 */
function faultSteps(chance: Stream): readonly Step[] {
  const crash = (atMs: number, downMs: number): Step => ({
    at: `${atMs}ms`,
    break: { backend: { crash: {} } },
    for: `${downMs}ms`,
  });
  const jobsMs = [0, 180, 360].map((minutes) => (FIRST_JOB + minutes) * MINUTE_MS);
  const steps = jobsMs.map((atMs) => crash(atMs + chance.whole(1, 1_500), chance.whole(200, 5_000)));
  const faultFree = [...jobsMs, (FIRST_JOB + 1) * MINUTE_MS, (FIRST_JOB + 480) * MINUTE_MS];
  for (let atMs = FIRST_JOB * MINUTE_MS; ; ) {
    atMs += chance.whole(1_000, 40 * MINUTE_MS);
    if (atMs >= END * MINUTE_MS) return steps;
    const isFaultFree = faultFree.some(
      (longestSkipMs) => atMs > longestSkipMs - 25 * MINUTE_MS && atMs < longestSkipMs + MINUTE_MS,
    );
    if (isFaultFree) continue;
    const on = { box: chance.pick([SOME.there, ...THERE]) };
    const what = chance.whole(0, 99);
    if (what < 40) {
      const downMs = chance.whole(200, 60_000);
      steps.push(crash(atMs, downMs));
      atMs += downMs;
    } else if (what < 70) steps.push({ at: `${atMs}ms`, on, weather: { cut: {} } });
    else
      steps.push({
        at: `${atMs}ms`,
        on,
        weather: { half_open: {} },
        for: `${chance.whole(MINUTE_MS, 20 * MINUTE_MS)}ms`,
      });
  }
}

const REPLACED = 'conflicting-operation';
const NOT_CONNECTED = 'no-connection';

describe('bulk jobs over more than 12 h, with boxes that reconnect after hours or never', () => {
  test('give each vehicle the result that matches the settings of its box, as soon as it reconnects', async () => {
    const { jobs, beganMs, findings } = await runBulkJobs(5, false);
    expect(findings).toEqual([]);
    const results = jobs.map((items) => items.map(({ reason, status }) => reason?.problem ?? status));
    const connected = Array<string>(4).fill('applied');
    expect(results).toEqual([
      [
        ...['applied', 'applied', 'applied', 'applied'],
        ...[REPLACED, REPLACED, 'applied'],
        NOT_CONNECTED,
        ...connected,
      ],
      ['resource-not-found'],
      ['applied', NOT_CONNECTED, 'applied'],
      [
        ...['applied', 'applied', 'applied', 'applied'],
        ...['applied', NOT_CONNECTED, 'applied'],
        NOT_CONNECTED,
        ...connected,
      ],
    ]);
    const [first = []] = jobs;
    // As soon as their coverage is back: the modem takes some seconds.
    for (const [index, minutes] of [20, 95, 310, 715].entries()) {
      const afterMs = (first[index]?.lastAttemptMs ?? 0) - beganMs - minutes * 60_000;
      expect(afterMs).toBeGreaterThanOrEqual(0);
      expect(afterMs).toBeLessThan(60_000);
    }
    // After 30 s, doubled each time, at most 1 h, up to a tenth shorter at random: 18 to 20 attempts in 12 h.
    expect(first[7]?.attempts).toBeGreaterThanOrEqual(18);
    expect(first[7]?.attempts).toBeLessThanOrEqual(20);
    expect(first.slice(8).map((item) => item.attempts)).toEqual([1, 1, 1, 1]);
  }, 240_000);

  test.each([11, 12])(
    'pass all checkers while links are cut or half-open and the service crashes during attempts (seed %i)',
    async (seed) => {
      const { jobs, findings, crashes } = await runBulkJobs(seed, true);
      expect(findings).toEqual([]);
      expect(jobs.length).toBe(4);
      expect(crashes).toBeGreaterThan(5);
    },
    240_000,
  );
});

test("a partner's job ends with the reason that the partner's direct request has", () =>
  playAndInspect(
    `
name: partner-bulk
about: A partner's bulk job names a vehicle that is shared with it.
seed: 3
fleet:
  - { model: petrol-compact, driving: false }
steps:
  - { at: 2m, call: { share: partner }, expect: { status: 200 } }
  - { at: 3m, call: { bulk: { tracking: {} }, as: partner }, expect: { status: 201 } }
  - { at: 3m, call: { configure: { tracking: {} }, as: partner }, expect: { status: 409, problem: /problems/vehicle/shared-with-partner } }
  - { at: 5m, call: { get: "/vehicles/{vehicle}" }, expect: { status: 200 } }
always: all
`,
    async (evidence, _testbed, findings) => {
      const jobs = await evidence.jobs();
      expect(jobs.flatMap(({ items }) => items)).toMatchObject([
        { status: 'FAILED', problem: 'shared-with-partner' },
      ]);
      expect(findings).toEqual([]);
    },
  ));
