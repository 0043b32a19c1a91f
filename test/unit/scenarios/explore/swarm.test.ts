import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawSwarmed, type SwarmSettings, swarm } from '../../../../scenarios/explore/swarm.ts';
import { LINKS } from '../../../../scenarios/language/weather.ts';
import { fakeRunner, scenarioOf } from './fake-run.ts';

describe('a swarm', () => {
  it('draws scenarios that can be read, expect nothing, and ask for every checker', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 1_000 }), (seed, run) => {
        const { document, menu } = drawSwarmed(seed, run);
        expect(drawSwarmed(seed, run)).toEqual({ run, menu, document });
        const scenario = scenarioOf(document);
        expect(scenario.always.length).toBeGreaterThan(5);
        for (const { expect: expected, never, does } of scenario.steps) {
          expect([...expected, ...never]).toEqual([]);
          if (does?.kind === 'weather') expect(menu.weather).toContain(does.weather.name);
          if (does?.kind === 'break') expect(menu.breaks[does.break.part]).toContain(does.break.name);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('draws another menu for each run: hardly any two are alike', () => {
    const menus = Array.from({ length: 20 }, (_, run) => JSON.stringify(drawSwarmed(1, run + 1).menu));
    expect(new Set(menus).size).toBe(20);
  });

  it('draws recorded links, those that are built in, and they stay while it makes one smaller', async () => {
    const links = Array.from({ length: 200 }, (_, run) => scenarioOf(drawSwarmed(1, run + 1).document).steps)
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
    const { found } = await swarm({ runs: 100, seed: 2, runner: plays });
    expect(found?.smallest.document['steps']).toMatchObject([
      { at: '0s', weather: { trace: { link: expect.any(String) } } },
    ]);
  });

  it('draws slow stores and changes of networks that are over before anybody has lost patience, and lets no card be suspended for good', () => {
    const deeds = Array.from({ length: 300 }, (_, run) => scenarioOf(drawSwarmed(1, run + 1).document).steps)
      .flat()
      .map(({ does }) => does);
    expect(JSON.stringify(deeds)).toContain('request-sim-activation');
    expect(JSON.stringify(deeds)).not.toContain('request-sim-suspension');
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

  it('tells of every run, stops at the first that fails, and makes it smaller', async () => {
    const hasBrownOut = fakeRunner(({ steps }) =>
      steps.some(({ does }) => does?.kind === 'break' && does.break.part === 'box')
        ? 'crash: box'
        : undefined,
    );
    const told: string[] = [];
    const progress: SwarmSettings['progress'] = (at) => {
      if (at.phase === 'end') told.push(at.tried.kind);
    };
    const { found, runs } = await swarm({ runs: 50, seed: 2, runner: hasBrownOut, progress });
    expect(told).toEqual([...Array.from({ length: runs - 1 }, () => 'passed'), 'failed']);
    const { document, reason } = found?.smallest ?? {};
    expect(reason?.key).toBe('crashed: crash: box');
    expect(document?.['fleet']).toEqual([{ features: 'none' }]);
    expect(document?.['always']).toEqual([]);
    expect(document?.['steps']).toHaveLength(1);
  });
});
