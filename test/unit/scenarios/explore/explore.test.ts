import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DrawnOptions, type ExploreSettings, explore } from '../../../../scenarios/explore/explore.ts';
import { foundFile } from '../../../../scenarios/explore/found-file.ts';
import { digitsFor, reordered, tiesOf } from '../../../../scenarios/explore/order.ts';
import { shapeOf } from '../../../../scenarios/explore/reason.ts';
import { readScenario } from '../../../../scenarios/language/document/read.ts';
import { roundsOf } from '../../../../scenarios/language/document/scenario.ts';
import {
  fakeRunner,
  noCoverageMs,
  parsedScenario,
  SEVEN_STEPS,
} from '../../../support/scenarios/fake-runner.ts';

function settings(more: Partial<ExploreSettings>): ExploreSettings {
  const runner = fakeRunner(() => undefined);
  return { document: SEVEN_STEPS, scenario: parsedScenario(SEVEN_STEPS), runs: 50, seed: 3, runner, ...more };
}

const tooDark = () =>
  fakeRunner((scenario) => (noCoverageMs(scenario) >= 60_000 ? 'a record is lost' : undefined));

describe('exploring a scenario', () => {
  it('begins with the unchanged file, and passes if no run fails', async () => {
    const runner = fakeRunner(() => undefined);
    const explored = await explore(settings({ runner, runs: 30 }));
    expect(explored).toMatchObject({ runs: 30, seed: 3 });
    expect(explored.found).toBeUndefined();
    expect(explored.distinct).toBe(runner.ran.length);
    expect(runner.ran[0]).toEqual({ ...parsedScenario(SEVEN_STEPS), vary: [] });
    expect(new Set(runner.ran.map(noCoverageMs)).size).toBeGreaterThan(10);
    expect(new Set(runner.ran.map(({ seed }) => seed)).size).toBeGreaterThan(5);
    expect(new Set(runner.ran.map(({ steps }) => JSON.stringify(steps[1]?.does))).size).toBeGreaterThan(1);
  });

  it('draws the same for the same seed, and differently for another', async () => {
    const draws = async (seed: number) => {
      const options: DrawnOptions[] = [];
      const progress: ExploreSettings['progress'] = (at) => {
        if (at.phase === 'search') options.push(at.options);
      };
      await explore(settings({ seed, progress, runs: 20 }));
      return options;
    };
    expect(await draws(5)).toEqual(await draws(5));
    expect(await draws(5)).not.toEqual(await draws(6));
  });

  it('stops at the first failure and keeps only the necessary steps', async () => {
    const runner = tooDark();
    const { found } = await explore(settings({ runner }));
    expect(found?.smallest.isSmallest).toBe(true);
    expect(found?.smallest.document).toEqual({
      name: 'drive',
      about: SEVEN_STEPS['about'],
      seed: expect.any(Number),
      fleet: [{ features: 'none' }],
      steps: [{ at: '0s', weather: { coverage: 'none' }, for: '1m' }],
      always: ['nothing-lost'],
    });
    expect(found?.shrinkRuns).toBeLessThanOrEqual(300);
  });

  it('takes a trigger and rounds away that do not matter, and keeps as many rounds as do', async () => {
    const document = {
      name: 'holes',
      about: 'Holes in the coverage, one after the other.',
      fleet: [{ count: 1 }],
      steps: [
        {
          at: '1m',
          when: { session: 'ready', of: 'any', within: '5m' },
          for: '3s',
          weather: { coverage: 'none' },
          repeat: { every: '10s', times: 40 },
        },
        { at: '2m', call: { get: '/vehicles' }, repeat: { every: '10s', for: '10m' } },
      ],
    };
    const runner = fakeRunner(({ steps }) =>
      steps.some(({ repeat, does }) => does?.kind === 'weather' && roundsOf(repeat) >= 7)
        ? 'a record is lost'
        : undefined,
    );
    const { found } = await explore(settings({ document, scenario: parsedScenario(document), runner }));
    expect(found?.smallest.document['steps']).toEqual([
      { at: '0s', for: '0s', weather: { coverage: 'none' }, repeat: { every: '10s', times: 7 } },
    ]);
  });

  it('keeps what a step remembers as long as another one uses it', async () => {
    const get = (path: string, more: object = {}) => ({ at: '1s', call: { get: path, ...more } });
    const document = {
      name: 'pages',
      about: 'The second page.',
      fleet: [{ count: 1 }],
      steps: [
        get('/vehicles', { remember: { page: 'body.next', other: 'status' } }),
        get('/vehicles/{vehicle}', { remember: { unused: 'body' } }),
        get('/vehicles?cursor={page}'),
      ],
    };
    const runner = fakeRunner(({ steps }) =>
      JSON.stringify(steps).includes('cursor={page}') ? 'a record is lost' : undefined,
    );
    const { found } = await explore(settings({ document, scenario: parsedScenario(document), runner }));
    expect(found?.smallest.document['steps']).toEqual([
      { at: '0s', call: { get: '/vehicles', remember: { page: 'body.next' } } },
      { at: '0s', call: { get: '/vehicles?cursor={page}' } },
    ]);
  });

  it('writes the failing scenario to a file that is read as the same scenario', async () => {
    const runner = tooDark();
    const { found } = await explore(settings({ runner }));
    if (found === undefined) throw new Error('nothing found');
    const { text: file } = foundFile({
      command: 'npx boxtwin\nscenario',
      drawnLines: ['Run 4: x'],
      ...found,
    });
    expect(file).toMatch(
      /^# Found by: npx boxtwin scenario\n# Run 4: x\n# Fails: The checker nothing-lost found: /,
    );
    const reading = readScenario(file, 'found.yaml');
    expect(reading.ok && reading.scenario).toMatchObject(found.smallest.outcome.scenario);
  });

  it('does not switch to another failure while shrinking', async () => {
    const runner = fakeRunner((scenario) => {
      if (scenario.steps.length < 4) return 'crash: too few';
      return noCoverageMs(scenario) >= 60_000 ? 'a record is lost' : undefined;
    });
    const { found } = await explore(settings({ runner }));
    expect(found?.smallest.outcome.verdict).toBe('failed');
    expect(found?.smallest.document['steps']).toHaveLength(4);
  });

  it('makes no more runs than its limit, and says that it could continue', async () => {
    const runner = tooDark();
    const { found, distinct } = await explore(settings({ runner, shrinkRuns: 7 }));
    expect(found?.smallest.isSmallest).toBe(false);
    expect(runner.ran.length).toBe(distinct + 7);
  });

  it('passes on a rejection of the runner at once: that is no failure of the scenario', async () => {
    const ended = new Error('ended');
    let calls = 0;
    const runner = () => {
      calls += 1;
      return calls < 3 ? fakeRunner(() => undefined)(parsedScenario(SEVEN_STEPS)) : Promise.reject(ended);
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

  it('is drawn without moving any other step, and zeroes leave it unchanged', () => {
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

  it('is not drawn across a step that waits for all before it, nor if no two steps can coincide', () => {
    const tie = [{ at: '1s', n: 1 }, { n: 2 }, { at: '1s', n: 3 }];
    expect(tiesOf({ steps: tie })).toEqual([]);
    expect(tiesOf({ steps: [tie[0], { after: 'x' }, tie[2]] })).toEqual([[0, 2]]);
    expect(digitsFor({ steps: [{ at: '1s' }, { at: '2s' }] }, [])).toBe(0);
    expect(digitsFor({ steps: [{ at: '1s' }, { at: '2s' }] }, ['steps[0].at'])).toBe(2);
  });
});

describe('a reason', () => {
  it('is the same for any vehicle, moment or count, and different for another status', () => {
    const one = 'GET /vehicles/LF499 at 2026-01-05T06:00:00Z: status 200, not 504 (record c0c03b8fc90b6b6f)';
    const other =
      'GET /vehicles/06RQF at 2026-01-07T06:10:00Z: status 200, not 504 (record c75d1a309b78406f)';
    expect(shapeOf(one)).toBe(shapeOf(other));
    expect(shapeOf(one)).not.toBe(shapeOf(other.replace('200', '409')));
  });
});
