import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawScenario, type SwarmSettings, swarm } from '../../../../scenarios/explore/swarm.ts';
import { OPERATION_NAMES } from '../../../../scenarios/explore/workload/operation-names.ts';
import { parseSpan } from '../../../../scenarios/language/document/quantity.ts';
import { CRASH_POINTS } from '../../../../scenarios/language/steps/backend-breaks.ts';
import { LINKS } from '../../../../scenarios/language/steps/weather.ts';
import { fakeRunner, parsedScenario } from '../../../support/scenarios/fake-runner.ts';

describe('a swarm', () => {
  it('draws scenarios that can be read, have no expectations, and use every checker', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 1_000 }), (seed, run) => {
        const { document, options } = drawScenario(seed, run);
        expect(drawScenario(seed, run)).toEqual({ run, options, document });
        const scenario = parsedScenario(document);
        expect(scenario.always.length).toBeGreaterThan(5);
        for (const { expect: expected, never, does } of scenario.steps) {
          expect([...expected, ...never]).toEqual([]);
          if (does?.kind === 'weather') expect(options.weather).toContain(does.weather.name);
          if (does?.kind === 'break') expect(options.breaks[does.break.part]).toContain(does.break.name);
        }
      }),
      // A step that brought another one along gave it its label too.
      { numRuns: 40, examples: [[79, 57]] },
    );
  });

  it('draws another choice of fault kinds for each run: hardly any two are alike', () => {
    const menus = Array.from({ length: 20 }, (_, run) => JSON.stringify(drawScenario(1, run + 1).options));
    expect(new Set(menus).size).toBe(20);
  });

  it('draws steps in rounds, steps that wait for something, weather in places, values of answers, and kept sessions', () => {
    const drawn = Array.from({ length: 60 }, (_, run) => parsedScenario(drawScenario(1, run + 1).document));
    const steps = drawn.flatMap((scenario) => scenario.steps);
    expect(steps.filter(({ repeat }) => repeat !== undefined).length).toBeGreaterThan(20);
    expect(new Set(steps.flatMap(({ trigger }) => trigger?.name ?? []))).toEqual(
      new Set(['frame', 'session', 'point']),
    );
    expect(steps.filter(({ place }) => place !== undefined).length).toBeGreaterThan(5);
    const kept = steps.filter(({ does }) => does?.kind === 'call' && does.call.remember !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    const sessions = drawn.flatMap(({ fleet }) => fleet.map(({ mqttSession }) => mqttSession));
    expect(new Set(sessions)).toEqual(new Set([undefined, 'clean', 'persistent']));
  });

  it('draws crashes at every point of the backend, none of them rarely', () => {
    const counts = new Map<string, number>();
    for (let run = 1; run <= 300; run += 1)
      for (const step of drawScenario(1, run).document['steps'] as readonly Readonly<
        Record<string, unknown>
      >[]) {
        const { backend } = (step['break'] ?? {}) as { backend?: { crash?: { point?: string } } };
        const point = backend?.crash?.point;
        if (point !== undefined) counts.set(point, (counts.get(point) ?? 0) + 1);
      }
    expect(new Set(counts.keys())).toEqual(new Set(Object.keys(CRASH_POINTS)));
    expect(Math.min(...counts.values())).toBeGreaterThan(5);
  });

  it('draws built-in recorded links, and keeps them while shrinking', async () => {
    const links = Array.from(
      { length: 200 },
      (_, run) => parsedScenario(drawScenario(1, run + 1).document).steps,
    )
      .flat()
      .flatMap(({ does }) =>
        does?.kind === 'weather' && does.weather.name === 'trace' ? [does.weather.settings] : [],
      );
    expect(links.filter(({ file }) => file !== undefined)).toEqual([]);
    expect(new Set(links.map(({ link }) => link))).toEqual(new Set(Object.keys(LINKS)));
    const plays = fakeRunner(({ steps }) =>
      steps.some(({ does }) => does?.kind === 'weather' && does.weather.name === 'trace')
        ? 'crash: link'
        : undefined,
    );
    const {
      found: [found],
    } = await swarm({ runs: 100, seed: 2, runner: plays });
    expect(found?.smallest.document['steps']).toMatchObject([
      { at: '0s', weather: { trace: { link: expect.any(String) } } },
    ]);
  });

  it('draws slow stores and network changes that end before any time-out, and cards that are suspended only to be activated again', () => {
    const deeds = Array.from(
      { length: 300 },
      (_, run) => parsedScenario(drawScenario(1, run + 1).document).steps,
    )
      .flat()
      .map(({ does }) => does);
    const commands = deeds.flatMap((does) =>
      does?.kind === 'call' && does.call.name === 'command' ? [does.call.settings] : [],
    );
    const countOf = (name: string) => commands.filter((one) => one === name).length;
    expect(countOf('request-sim-suspension')).toBeGreaterThan(0);
    expect(countOf('request-sim-activation')).toBeGreaterThanOrEqual(countOf('request-sim-suspension'));
    const slowMs = deeds.flatMap((does) =>
      does?.kind === 'break' && does.break.name === 'slow' ? [does.break.settings.by] : [],
    );
    const gapMs = deeds.flatMap((does) =>
      does?.kind === 'weather' && does.weather.name === 'roaming' ? [does.weather.settings.gap] : [],
    );
    for (const [drawnMs, mostMs] of [
      [slowMs, 10_000],
      [gapMs, 240_000],
    ] as const) {
      expect(new Set(drawnMs).size).toBeGreaterThan(3);
      expect(Math.max(...drawnMs)).toBeLessThanOrEqual(mostMs);
    }
  });

  it('reports every run, stops at the first failure, and shrinks it', async () => {
    const hasBrownOut = fakeRunner(({ steps }) =>
      steps.some(({ does }) => does?.kind === 'break' && does.break.part === 'box')
        ? 'crash: box'
        : undefined,
    );
    const told: string[] = [];
    const progress: SwarmSettings['progress'] = (at) => {
      if (at.phase === 'end') told.push(at.tried.kind);
    };
    const {
      found: [found],
      runs,
    } = await swarm({ runs: 50, seed: 2, runner: hasBrownOut, progress });
    expect(told).toEqual([...Array.from({ length: runs - 1 }, () => 'passed'), 'failed']);
    const { document, reason } = found?.smallest ?? {};
    expect(reason?.key).toBe('crashed: crash: box');
    expect(document?.['fleet']).toEqual([{ features: 'none' }]);
    expect(document?.['always']).toEqual([]);
    expect(document?.['steps']).toHaveLength(1);
  });

  it('keeps going after a failure where it is asked to, and makes each reason smaller once', async () => {
    const two = fakeRunner(({ steps }) => {
      const breaks = steps.flatMap(({ does }) => (does?.kind === 'break' ? [does.break.part] : []));
      if (breaks.includes('store')) return 'crash: store';
      return breaks.includes('broker') ? 'crash: broker' : undefined;
    });
    const { found, runs } = await swarm({ runs: 30, seed: 2, runner: two, keepsGoing: true });
    expect(runs).toBe(30);
    expect(found.map(({ smallest }) => smallest.reason.key).sort()).toEqual([
      'crashed: crash: broker',
      'crashed: crash: store',
    ]);
    for (const { smallest } of found) expect(smallest.document['steps']).toHaveLength(1);
  });

  it('begins no run once its time is over', async () => {
    const answers = [false, false, false, true];
    const passes = fakeRunner(() => undefined);
    const { runs } = await swarm({
      runs: 30,
      seed: 2,
      runner: passes,
      isOver: () => answers.shift() ?? true,
    });
    expect(runs).toBe(3);
  });

  it.each(OPERATION_NAMES)('has the work "%s" in every run where it is asked for', (focus) => {
    for (let run = 1; run <= 10; run += 1)
      expect(drawScenario(4, run, focus).options.operations).toContain(focus);
  });

  it('draws its times in milliseconds', () => {
    const spans = Array.from({ length: 20 }, (_, run) => drawScenario(1, run + 1).document['steps'])
      .flatMap((steps) => steps as readonly { readonly at?: string }[])
      .flatMap(({ at }) => (at === undefined ? [] : [parseSpan(at) ?? 0]));
    expect(spans.filter((ms) => ms % 1_000 !== 0).length).toBeGreaterThan(spans.length / 2);
  });
});
