import { describe, expect, test } from 'vitest';
import { explore } from '../../scenarios/explore/explore.ts';
import { foundFile } from '../../scenarios/explore/found-file.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';

/** Without variation it does not trigger the planted bug: only some of its variants do. */
const ROUGH_DRIVE = `
name: rough-drive
about: A car and a moped are asked for their state, on a road on which coverage may be missing.
seed: 7
fleet:
  - { as: cars, count: 1, model: petrol-compact, driving: true, features: { tracking: { time_interval_in_seconds: 15 } } }
  - { as: mopeds, count: 1, model: electric-moped, features: none }
steps:
  - { at: 0s, weather: { latency: { base: 50ms } }, on: cars }
  - { at: 20s, call: { command: draw-attention }, on: mopeds }
  - { at: 30s, label: road, weather: { coverage: good }, for: 1s, on: cars }
  - { at: 40s, call: { command: request-vehicle-state } }
  - { at: 2m, weather: { signal: 9 }, on: mopeds }
  - { at: 2m, call: { command: request-vehicle-state }, on: cars }
  - { after: road, delay: 20s, call: { command: request-vehicle-state } }
always: [nothing-lost, nothing-doubled]
vary:
  steps[road].weather.coverage: [good, poor, none]
  steps[road].for: 1s..3m
`;

function roughDrive() {
  const reading = readScenario(ROUGH_DRIVE, 'rough-drive.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading;
}

describe('a bug that is planted in the receipts', () => {
  test('is found by explore within 200 runs, shrunk to at most five steps, and repeated by the file', async () => {
    const broken: typeof runVirtual = (scenario, options) =>
      runVirtual(scenario, { ...options, plantedBug: true });
    const { found, runs } = await explore({ ...roughDrive(), runs: 200, seed: 1, runner: broken });
    if (found === undefined) throw new Error('It was not found.');
    expect(runs).toBeGreaterThan(1);
    const { document, outcome, reason, isSmallest } = found.smallest;
    expect({ checker: reason.checker, isSmallest }).toEqual({ checker: 'nothing-lost', isSmallest: true });
    expect((document['steps'] as readonly unknown[]).length).toBeLessThanOrEqual(5);
    const { text: file } = foundFile({ command: 'explore', drawnLines: [], ...found });
    const reading = readScenario(file, 'found.yaml');
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    expect((await broken(reading.scenario)).hash).toBe(outcome.hash);
    // It is the bug that fails, not the scenario.
    expect((await runVirtual(reading.scenario)).verdict).toBe('passed');
  });

  test('is the cause of the failure: without it the same draws pass', async () => {
    const { found, runs } = await explore({ ...roughDrive(), runs: 8, seed: 1, runner: runVirtual });
    expect(found?.smallest.reason.text).toBeUndefined();
    expect(runs).toBe(8);
  });
});

describe('an expectation that a fault has made fail', () => {
  test('still fails for that fault once it is small, with the drawn vehicle written out', async () => {
    const reading = readScenario(
      `
name: lost-reply
about: The reply to a command is lost.
seed: 2
fleet:
  - { count: 2 }
steps:
  - { at: 1s, weather: { lose: { message: command-reply, count: 1 } }, for: 8s }
  - { at: 2s, call: { command: unlock-central-lock }, expect: { status: 200 } }
  - { at: 40s, call: { get: "/vehicles/{vehicle}" }, expect: { status: 200 } }
always: [nothing-lost]
`,
      'lost-reply.yaml',
    );
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { found } = await explore({ ...reading, runs: 1, seed: 1, runner: runVirtual });
    const { document, failsByFaults, reason } = found?.smallest ?? {};
    expect(reason?.text).toContain('answer.status is 504');
    expect(failsByFaults).toBe(true);
    expect(document).toMatchObject({
      fleet: [{ model: expect.any(String), firmware: expect.any(String), features: 'none' }],
      steps: [
        { weather: { lose: { message: 'command-reply' } } },
        { call: { command: 'unlock-central-lock' } },
      ],
    });
  });

  test('names the step of a missed expectation with its line in that file', async () => {
    const steps = '  - { at: 1s, call: { get: /vehicles }, expect: { status: 204 } }';
    const reading = readScenario(`name: x\nabout: y.\nfleet: [{ count: 1 }]\nsteps:\n${steps}\n`, 'x.yaml');
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { found } = await explore({ ...reading, runs: 1, seed: 1, runner: runVirtual });
    if (found === undefined) throw new Error('nothing found');
    const { text, reason } = foundFile({ command: 'c', drawnLines: [], ...found });
    const [, line = 0] = /^Not met in step 1 \(line (\d+)\): /.exec(reason) ?? [];
    expect(text.split('\n')[Number(line) - 1]).toContain('expect: { status: 204 }');
    expect(text).toContain(`# Fails: ${reason}`);
  });
});
