import { describe, expect, test } from 'vitest';
import type { DeadZone } from '../../../../console/stream/zones.ts';
import { consoleStage } from '../../../support/console/console-stage.ts';

function stage() {
  const made = consoleStage({ count: 4 });
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
    expect((await post(`/console/zones/${zone.id}/lift`)).status).toBe(200);
    await pass(1_500);
    expect(hasCoverage()).toEqual([true, true, true, true]);
    expect((await post(`/console/zones/${zone.id}/lift`)).status).toBe(404);
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
    await post(`/console/zones/${one.body.id}/lift`);
    await pass(1_500);
    expect(first.truth()['hasCoverage']).toBe(false);
    await post(`/console/zones/${other.body.id}/lift`);
    expect(first.truth()['hasCoverage']).toBe(true);
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
