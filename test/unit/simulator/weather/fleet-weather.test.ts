import { describe, expect, test } from 'vitest';
import { controlApp } from '../../../../simulator/control/app.ts';
import { FleetWeather } from '../../../../simulator/weather/fleet-weather.ts';
import { WEATHER_PRESET_NAMES, WEATHER_PRESETS } from '../../../../simulator/weather/presets.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';
import { fakeFleet, fakeTap } from '../../../support/simulator/fake-fleet.ts';

const HOUR_MS = 3_600_000;

function stage(seed = 1) {
  const loop = new VirtualLoop();
  const fleet = fakeFleet(5);
  const weather = new FleetWeather(virtualTime(loop, new ProcessScope('weather')), seededRandom(seed), fleet);
  const gapOf = new Map([...fleet.boxes.keys()].map((boxId) => [boxId, false]));
  for (const [boxId, box] of fleet.boxes) {
    const { setCoverage } = box;
    const watched = (hasCoverage: boolean) => {
      setCoverage(hasCoverage);
      gapOf.set(boxId, box.truth()['hasCoverage'] === false);
    };
    Object.assign(box, { setCoverage: watched });
  }
  const gaps = () => [...gapOf.values()];
  /** How coverage was over some hours, a sample every five seconds: no gap is shorter. */
  const history = async (hours: number) => {
    const samples: string[] = [];
    for (const untilMs = loop.nowMs + hours * HOUR_MS; loop.nowMs < untilMs; ) {
      await loop.runUntil(loop.nowMs + 5_000);
      samples.push(gaps().map(Number).join(''));
    }
    return samples;
  };
  const cuts = () =>
    [...fleet.boxes.values()].reduce(
      (sum, { calls }) => sum + calls.filter((one) => /cut/i.test(one)).length,
      0,
    );
  return { ...fleet, loop, weather, gaps, history, cuts };
}

describe('the weather of a fleet', () => {
  test('is the same again from its seed, and another one from another seed', async () => {
    const of = async (seed: number) => {
      const { weather, history } = stage(seed);
      weather.change('storm');
      return history(1);
    };
    const first = await of(1);
    expect(await of(1)).toEqual(first);
    expect(await of(2)).not.toEqual(first);
  });

  test.each(WEATHER_PRESETS)(
    '$name befalls each vehicle as often as its table says',
    async ({ name, events }) => {
      const { weather, history, cuts } = stage();
      weather.change(name);
      // So long that the rarest of them comes several times.
      const hours = Math.max(3, 6 / Math.min(2, ...events.map(({ perHour }) => perHour)));
      const samples = await history(hours);
      const begun = samples.reduce(
        (sum, sample, index) =>
          sum + [...sample].filter((one, box) => one === '1' && samples[index - 1]?.[box] !== '1').length,
        0,
      );
      const perHour = (what: string) => events.find((one) => one.what === what)?.perHour ?? 0;
      const expectedGaps = perHour('no-coverage') * 5 * hours;
      expect(begun).toBeGreaterThanOrEqual(expectedGaps * 0.5);
      expect(begun).toBeLessThanOrEqual(expectedGaps * 1.2);
      const expectedCuts = perHour('cut') * 5 * hours;
      expect(cuts()).toBeGreaterThanOrEqual(expectedCuts * 0.7);
      expect(cuts()).toBeLessThanOrEqual(expectedCuts * 1.3);
    },
  );

  test('that ends gives back all that it took', async () => {
    const { weather, history, gaps, loop } = stage();
    weather.change('rural');
    while (!gaps().includes(true)) await history(0.05);
    weather.stop();
    expect(gaps()).toEqual([false, false, false, false, false]);
    const before = loop.nowMs;
    expect((await history(5)).every((sample) => sample === '00000')).toBe(true);
    expect(loop.nowMs).toBeGreaterThan(before);
  });

  test('is told and changed by the control API', async () => {
    const { weather, boxes } = stage();
    const app = controlApp({ boxes }, fakeTap(), { weather });
    const put = (body: unknown) =>
      app.request('/weather', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await (await put({ preset: 'city' })).json()).toMatchObject({ preset: 'city' });
    expect(weather.preset).toBe('city');
    expect((await put({ preset: 'hail' })).status).toBe(400);
    expect((await app.request('/weather', { method: 'POST' })).status).toBe(405);
    const told = (await (await app.request('/weather')).json()) as { presets: { name: string }[] };
    expect(told.presets.map(({ name }) => name)).toEqual([...WEATHER_PRESET_NAMES]);
  });
});
