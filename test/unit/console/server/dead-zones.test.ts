import { describe, expect, test } from 'vitest';
import { limits } from '../../../../console/limits.ts';
import type { DeadZone } from '../../../../console/stream/map.ts';
import { consoleStage } from '../../../support/console/console-stage.ts';

function stage(before?: (request: Request) => Response | undefined) {
  const made = consoleStage({ count: 4, ...(before === undefined ? {} : { before }) });
  const post = async <Answer>(path: string, body: unknown = {}) => {
    const answer = await made.asPage(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Answer };
  };
  /** Lets time pass, with a turn of the loop for whatever is under way. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      await made.loop.runUntil(made.loop.nowMs + 100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const placeOf = (box: { truth(): Record<string, unknown> }) => ({
    latitude: Number(box.truth()['latitude']),
    longitude: Number(box.truth()['longitude']),
  });
  const hasCoverage = () => [...made.boxes.values()].map((box) => box.truth()['hasCoverage']);
  return { ...made, post, pass, placeOf, hasCoverage };
}

describe('a dead zone', () => {
  test('takes the coverage of whoever is in it, and gives it back when it is lifted', async () => {
    const { post, pass, placeOf, first, hasCoverage, asPage } = stage();
    const { body: zone } = await post<DeadZone>('/console/zones', { around: placeOf(first), radiusM: 5 });
    await pass(1_500);
    expect(first.truth()['hasCoverage']).toBe(false);
    expect(hasCoverage().filter((has) => has === false)).toHaveLength(1);
    const there = (await (await asPage('/console/zones')).json()) as readonly DeadZone[];
    expect(there).toMatchObject([{ id: zone.id, boxes: [first.plan.boxId] }]);
    expect((await post(`/console/zones/${zone.id}/remove`)).status).toBe(200);
    await pass(1_500);
    expect(hasCoverage()).toEqual([true, true, true, true]);
    expect((await post(`/console/zones/${zone.id}/remove`)).status).toBe(404);
  });

  test('lets go of a vehicle that has driven out of it', async () => {
    const { post, pass, placeOf, first } = stage();
    first.drive();
    await post('/console/zones', { around: placeOf(first), radiusM: 30 });
    await pass(1_500);
    expect(first.truth()['hasCoverage']).toBe(false);
    first.advance(120_000);
    await pass(1_500);
    expect(first.truth()['hasCoverage']).toBe(true);
  });

  test('holds a vehicle that is in two of them until it is in none', async () => {
    const { post, pass, placeOf, first } = stage();
    const around = placeOf(first);
    const [one, other] = [
      await post<DeadZone>('/console/zones', { around, radiusM: 50 }),
      await post<DeadZone>('/console/zones', { around, radiusM: 60 }),
    ];
    await pass(1_500);
    await post(`/console/zones/${one.body.id}/remove`);
    await pass(1_500);
    expect(first.truth()['hasCoverage']).toBe(false);
    await post(`/console/zones/${other.body.id}/remove`);
    expect(first.truth()['hasCoverage']).toBe(true);
  });

  test('that is added while no vehicle moves takes effect next to another one', async () => {
    const { post, pass, placeOf, first } = stage();
    await post('/console/zones', { around: { latitude: 0, longitude: 0 }, radiusM: 5 });
    await pass(1_500);
    await post('/console/zones', { around: placeOf(first), radiusM: 5 });
    await pass(1_500);
    expect(first.truth()['hasCoverage']).toBe(false);
  });

  test('that is lifted as the last one ends the looking at the fleet', async () => {
    const { post, pass, asked } = stage();
    const { body: zone } = await post<DeadZone>('/console/zones', {
      around: { latitude: 0, longitude: 0 },
      radiusM: 5,
    });
    await pass(3_000);
    await post(`/console/zones/${zone.id}/remove`);
    const looks = () => asked.filter((path) => path === '/fleet').length;
    const before = looks();
    await pass(10_000);
    expect(before).toBeGreaterThan(2);
    expect(looks() - before).toBeLessThanOrEqual(1);
  });

  test.each([401, 421, 429, 503])(
    'gives coverage back after the simulator has refused it with HTTP status %i for a while',
    async (status) => {
      let isRefusing = false;
      const { post, pass, placeOf, first, hasCoverage } = stage(({ url }) =>
        isRefusing && url.endsWith('/coverage') ? new Response('', { status }) : undefined,
      );
      const { body: zone } = await post<DeadZone>('/console/zones', { around: placeOf(first), radiusM: 5 });
      await pass(1_500);
      isRefusing = true;
      await post(`/console/zones/${zone.id}/remove`);
      await pass(1_500);
      expect(first.truth()['hasCoverage']).toBe(false);
      isRefusing = false;
      await pass(1_500);
      expect(hasCoverage()).toEqual([true, true, true, true]);
    },
  );

  test.each([404, 409])(
    'asks once for a box that the simulator refuses with HTTP status %i',
    async (status) => {
      const { post, pass, placeOf, first, asked } = stage(({ url }) =>
        url.endsWith('/coverage') ? new Response('', { status }) : undefined,
      );
      await post('/console/zones', { around: placeOf(first), radiusM: 5 });
      await pass(5_000);
      expect(asked.filter((path) => path.endsWith('/coverage'))).toHaveLength(1);
    },
  );

  test('makes one attempt at a time for a box, however often it moves while the simulator fails', async () => {
    const { post, pass, placeOf, first, asked } = stage(({ url }) =>
      url.endsWith('/coverage') ? new Response('', { status: 503 }) : undefined,
    );
    await post('/console/zones', { around: placeOf(first), radiusM: 5_000 });
    first.drive();
    for (let moves = 0; moves < 20; moves += 1) {
      first.advance(1_000);
      await pass(500);
    }
    const attempts = asked.filter((path) => path === `/boxes/${first.plan.boxId}/coverage`).length;
    expect(attempts).toBeGreaterThan(5);
    expect(attempts).toBeLessThanOrEqual(10_000 / limits.fleetLookMs + 1);
  });

  test.each([
    {},
    { around: { latitude: 91, longitude: 0 }, radiusM: 5 },
    { around: { latitude: 1, longitude: 0 }, radiusM: 0 },
    { polygon: [{ latitude: 1, longitude: 0 }] },
  ])('that is none is refused: %j', async (shape) => {
    expect((await stage().post('/console/zones', shape)).status).toBe(400);
  });
});
