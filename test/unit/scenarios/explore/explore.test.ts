import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExploreSettings, explore, type Options } from '../../../../scenarios/explore/explore.ts';
import { foundFile } from '../../../../scenarios/explore/found-file.ts';
import { digitsFor, reordered, tiesOf } from '../../../../scenarios/explore/order.ts';
import { shapeOf } from '../../../../scenarios/explore/reason.ts';
import { readScenario } from '../../../../scenarios/language/read.ts';
import { DRIVE, darkMs, fakeRunner, scenarioOf } from './fake-run.ts';

function settings(more: Partial<ExploreSettings>): ExploreSettings {
  const runner = fakeRunner(() => undefined);
  return { document: DRIVE, scenario: scenarioOf(DRIVE), runs: 50, seed: 3, runner, ...more };
}

const tooDark = () => fakeRunner((scenario) => (darkMs(scenario) >= 60_000 ? 'a record is lost' : undefined));

describe('exploring a scenario', () => {
  it('begins with the file as it stands, and passes where no run fails', async () => {
    const runner = fakeRunner(() => undefined);
    const explored = await explore(settings({ runner, runs: 30 }));
    expect(explored).toMatchObject({ runs: 30, seed: 3 });
    expect(explored.found).toBeUndefined();
    expect(explored.distinct).toBe(runner.ran.length);
    expect(runner.ran[0]).toEqual({ ...scenarioOf(DRIVE), vary: [] });
    expect(new Set(runner.ran.map(darkMs)).size).toBeGreaterThan(10);
    expect(new Set(runner.ran.map(({ seed }) => seed)).size).toBeGreaterThan(5);
    expect(new Set(runner.ran.map(({ steps }) => JSON.stringify(steps[1]?.does))).size).toBeGreaterThan(1);
  });

  it('draws the same for the same seed, and something else for another', async () => {
    const draws = async (seed: number) => {
      const options: Options[] = [];
      const progress: ExploreSettings['progress'] = (at) => {
        if (at.phase === 'search') options.push(at.options);
      };
      await explore(settings({ seed, progress, runs: 20 }));
      return options;
    };
    expect(await draws(5)).toEqual(await draws(5));
    expect(await draws(5)).not.toEqual(await draws(6));
  });

  it('stops at the first failure and leaves only what it needs', async () => {
    const runner = tooDark();
    const { found } = await explore(settings({ runner }));
    expect(found?.smallest.isSmallest).toBe(true);
    expect(found?.smallest.document).toEqual({
      name: 'drive',
      about: DRIVE['about'],
      seed: expect.any(Number),
      fleet: [{ features: 'none' }],
      steps: [{ at: '0s', weather: { coverage: 'none' }, for: '1m' }],
      always: ['nothing-lost'],
    });
    expect(found?.shrinkRuns).toBeLessThanOrEqual(300);
  });

  it('writes what it found as a file that is read as the very scenario that failed', async () => {
    const runner = tooDark();
    const { found } = await explore(settings({ runner }));
    if (found === undefined) throw new Error('nothing found');
    const file = foundFile({ command: 'npx boxtwin\nscenario', told: ['Run 4: x'], ...found });
    expect(file).toMatch(
      /^# Found by: npx boxtwin scenario\n# Run 4: x\n# Fails: The checker nothing-lost found: /,
    );
    const reading = readScenario(file, 'found.yaml');
    expect(reading.ok && reading.scenario).toEqual(found.smallest.outcome.scenario);
  });

  it('does not go over to another failure while it makes one smaller', async () => {
    const runner = fakeRunner((scenario) => {
      if (scenario.steps.length < 4) return 'crash: too few';
      return darkMs(scenario) >= 60_000 ? 'a record is lost' : undefined;
    });
    const { found } = await explore(settings({ runner }));
    expect(found?.smallest.outcome.verdict).toBe('failed');
    expect(found?.smallest.document['steps']).toHaveLength(4);
  });

  it('makes no more runs than it may, and says that it could go on', async () => {
    const runner = tooDark();
    const { found, distinct } = await explore(settings({ runner, shrinkRuns: 7 }));
    expect(found?.smallest.isSmallest).toBe(false);
    expect(runner.ran.length).toBe(distinct + 7);
  });

  it('hands on at once what the runner rejects with: that is no failure of the scenario', async () => {
    const ended = new Error('ended');
    let calls = 0;
    const runner = () => {
      calls += 1;
      return calls < 3 ? fakeRunner(() => undefined)(scenarioOf(DRIVE)) : Promise.reject(ended);
    };
    await expect(explore(settings({ runner }))).rejects.toBe(ended);
    expect(calls).toBe(3);
  });
});

describe('the order of steps with the same time', () => {
  const steps = fc.array(
    fc.record({
      at: fc.constantFrom('1s', '2s', undefined),
      after: fc.constantFrom('x', undefined),
      n: fc.nat(),
    }),
    { minLength: 1, maxLength: 8 },
  );
  const made = fc.tuple(steps, fc.array(fc.nat(60), { maxLength: 8 })).map(([list, digits]) => {
    const plain = list.map(({ at, after, n }) => (at === undefined ? { after, n } : { at, n }));
    return { document: { steps: plain }, digits };
  });

  it('is drawn without moving any other step, and zeroes leave it as it is', () => {
    fc.assert(
      fc.property(made, ({ document, digits }) => {
        const changed = reordered(document, digits)['steps'] as readonly { at?: string }[];
        expect(changed.map(({ at }) => at)).toEqual(
          document.steps.map((step) => ('at' in step ? step.at : undefined)),
        );
        expect(new Set(changed.map((one) => JSON.stringify(one)))).toEqual(
          new Set(document.steps.map((one) => JSON.stringify(one))),
        );
        expect(reordered(document, [])).toEqual(document);
        const tied = new Set(tiesOf(document).flat());
        for (const [index, step] of document.steps.entries()) {
          if (!tied.has(index)) expect(changed[index]).toEqual(step);
        }
      }),
    );
  });

  it('is not drawn across a step that waits for all before it, nor where no two can meet', () => {
    const tie = [{ at: '1s', n: 1 }, { n: 2 }, { at: '1s', n: 3 }];
    expect(tiesOf({ steps: tie })).toEqual([]);
    expect(tiesOf({ steps: [tie[0], { after: 'x' }, tie[2]] })).toEqual([[0, 2]]);
    expect(digitsFor({ steps: [{ at: '1s' }, { at: '2s' }] }, [])).toBe(0);
    expect(digitsFor({ steps: [{ at: '1s' }, { at: '2s' }] }, ['steps[0].at'])).toBe(2);
  });
});

describe('a reason', () => {
  it('is the same whatever vehicle, moment or count it speaks of, and another with another status', () => {
    const one = 'GET /vehicles/LF499 at 2026-01-05T06:00:00Z: status 200, not 504 (record c0c03b8fc90b6b6f)';
    const other =
      'GET /vehicles/06RQF at 2026-01-07T06:10:00Z: status 200, not 504 (record c75d1a309b78406f)';
    expect(shapeOf(one)).toBe(shapeOf(other));
    expect(shapeOf(one)).not.toBe(shapeOf(other.replace('200', '409')));
  });
});
