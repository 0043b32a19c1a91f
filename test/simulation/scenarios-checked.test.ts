import { describe, expect, test } from 'vitest';
import { CHECKER_NAMES, type CheckerName } from '../../judge/checkers.ts';
import { CHECKS } from '../../judge/rules/checks.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';
import { runVirtual, type VirtualRunOptions } from '../../scenarios/run/run-virtual.ts';

const FLEET = `
name: tunnel
about: Cars lose coverage in a tunnel while everything else is asked of them, and a second fleet looks on.
seed: 7
rate_limit: 1000
clients: [{ name: watcher, fleet: own }]
fleet:
  - { as: own, count: 3, model: petrol-compact, firmware: "2.31", driving: true }
  - { as: theirs, count: 1, model: petrol-compact, firmware: "2.31", fleet: partner, driving: false }
  - { as: cars, count: 1, maker: northwind }
  - { as: shelf, count: 1, model: petrol-compact, on_shelf: true }
steps:
  - { at: 0s, call: { token: early } }
  - { at: 10s, call: { onboard: {} }, on: shelf }
  - { at: 30s, call: { get: /vehicles, as: partner } }
  - { at: 31s, call: { get: /vehicles, as: watcher } }
  - { at: 30s, call: { get: "/vehicles/{vehicle}", as: partner }, on: own, expect: { status: 404 } }
  - { at: 35s, call: { command: unlock-central-lock, as: partner }, on: theirs, expect: { status: 200 } }
  - { at: 36s, bluetooth: { action: lock, token: right }, on: theirs, expect: { phone: done } }
  - { at: 38s, shock: { acceleration_in_mg: 900, duration_ms: 30, direction: rear }, on: theirs }
  - { at: 39s, update: { version: "2.40" }, on: theirs }
  - { at: 40s, call: { command: enable-driving }, on: own, expect: { status: 200 } }
  - { at: 45s, call: { command: request-vehicle-state }, on: own, expect: { status: 200 } }
  - { at: 60s, call: { bulk: { tracking: { time_interval_in_seconds: 15 } } }, on: own }
  - { at: 70s, break: { backend: { crash: {} } }, for: 5s }
  - { at: 2m, weather: { coverage: none }, on: own, for: 90s }
  - { at: 2m30s, call: { command: enable-driving }, on: own, expect: { status: 504 } }
  - { at: 4m, break: { box: { watchdog: {} } }, on: theirs }
  - { at: 4m30s, call: { share: partner }, on: own }
  - { at: 4m40s, call: { command: enable-driving, as: partner }, on: own, expect: { status: 200 } }
limits: { duration: 15m }
always: [all]
`;

const FAULTS = `
name: rough
about: Boxes and service break in every way at once.
seed: 3
fleet:
  - { count: 4, model: petrol-compact, firmware: "2.31", driving: true, journal_records: 60 }
steps:
  - { at: 10s, weather: { half_open: {} }, on: { box: 1 }, for: 90s }
  - { at: 20s, weather: { lose: { message: receipt, count: 3 } } }
  - { at: 25s, weather: { lose: { message: puback, count: 2, connection: cut } } }
  - { at: 30s, break: { backend: { crash: {} } }, for: 20s }
  - { at: 40s, break: { broker: { restart: { sessions: lost } } }, for: 30s }
  - { at: 60s, break: { exchange: { down: {} } }, for: 40s }
  - { at: 70s, break: { box: { brown-out: {} } }, on: { box: 2 } }
  - { at: 80s, call: { command: enable-driving } }
  - { at: 90s, call: { command: enable-driving }, on: { box: 2 } }
  - { at: 100s, weather: { session_lost: {} }, on: { box: 4 } }
  - { at: 2m, weather: { coverage: none }, on: { box: 3 }, for: 20m }
  - { at: 5m, call: { command: enable-driving } }
  - { at: 5m, call: { bulk: { tracking: { time_interval_in_seconds: 10 } } } }
  - { at: 6m, break: { backend: { crash: {} } }, for: 20s }
always: [all]
`;

const TUNNEL = `
name: tunnel
about: Three cars lose coverage in a tunnel.
seed: 7
fleet:
  - { count: 3, model: petrol-compact, firmware: "2.31", driving: true }
steps:
  - { at: 2m, weather: { coverage: none }, for: 5m }
always: [all]
`;

/** They have nothing to look at where there is one backend: the stories of several ones have. */
const OF_SEVERAL_BACKENDS: ReadonlySet<string> = new Set(['partitions-have-one-holder']);

describe('the checkers of a run of the virtual testbed', () => {
  test('find nothing if nothing is wrong, and each of them has checked something', async () => {
    const outcome = await checked(FLEET);
    expect(outcome.reason).toBeUndefined();
    expect(outcome.expectations.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(findingsOf(outcome)).toEqual([]);
    expect(outcome.checkers.map(({ checker }) => checker)).toEqual(CHECKER_NAMES);
    for (const { checker, result, text } of outcome.checkers)
      expect(result, `${checker}: ${text}`).toBe(OF_SEVERAL_BACKENDS.has(checker) ? 'not-seen' : 'passed');
  });

  test('find nothing if everything breaks and recovers', async () => {
    const outcome = await checked(FAULTS);
    expect(outcome.reason).toBeUndefined();
    expect(findingsOf(outcome)).toEqual([]);
  });

  test('report the lost records of a service that receipts what it has not stored, these receipts, and no more', async () => {
    const outcome = await checked(TUNNEL, { plantedBug: true });
    const findings = findingsOf(outcome);
    expect(new Set(findings.map(([checker]) => checker))).toEqual(
      new Set(['nothing-lost', 'effects-follow-causes']),
    );
    expect(findings[0]?.[1]).toMatch(
      /^lost at the hop state: record [0-9a-f]{16}\/\d+\/\d+( to \d+)? of vehicle \d \w+ /,
    );
  });
});

async function checked(text: string, options: Partial<VirtualRunOptions> = {}): Promise<RunOutcome> {
  const reading = readScenario(text, 'test.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return runVirtual(reading.scenario, { checks: CHECKS, ...options });
}

function findingsOf({ checkers }: RunOutcome): readonly [CheckerName, string][] {
  return checkers.flatMap(({ checker, findings }) =>
    findings.map(({ text }): [CheckerName, string] => [checker, text]),
  );
}
