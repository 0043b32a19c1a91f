import { beforeEach, describe, expect, test, vi } from 'vitest';
import { linkTrouble } from '../../../../deployment/faults/live-links.ts';
import { limits } from '../../../../deployment/shared/limits.ts';
import { BREAKS } from '../../../../scenarios/language/steps/breaks.ts';
import { WEATHER } from '../../../../scenarios/language/steps/weather.ts';
import { controlApp } from '../../../../simulator/control/app.ts';
import type { FaultAnswer, FaultInForce } from '../../../../simulator/control/fault-api.ts';
import { fakeTap } from '../../../support/simulator/fake-fleet.ts';
import { liveFaultStage } from '../../../support/simulator/live-fault-stage.ts';

const NOT_HERE = { trouble: 'It is elsewhere.' };

function stage() {
  const { boxes, first, loop, time, faults } = liveFaultStage({ links: NOT_HERE, exchange: NOT_HERE });
  const app = controlApp({ boxes }, fakeTap(), { faults });
  const ask = async (path: string, method = 'GET', body?: unknown) => {
    const init = { method, headers: { 'content-type': 'application/json' } };
    const answer = await app.request(`http://127.0.0.1${path}`, {
      ...init,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  return { boxes, first, loop, time, faults, ask };
}
const inForce = (answer: FaultAnswer): FaultInForce => {
  if (answer.kind !== 'in-force') throw new Error(JSON.stringify(answer));
  return answer.fault;
};

describe('links of boxes', () => {
  const wishes = [
    ...Object.entries(WEATHER).map(([name, { example }]) => ({ weather: { [name]: example } })),
    ...['none', 'poor', 'good'].map((coverage) => ({ weather: { coverage } })),
  ].map((wish) => [JSON.stringify(wish), wish] as const);

  test.each(wishes)('have a proxy before %s acts on them', async (_, wish) => {
    const { faults, parts } = liveFaultStage();
    const apply = vi.spyOn(parts.networkFaults, 'apply');
    const { kind } = await faults.begin(undefined, wish);
    if (kind === 'wrong') expect(parts.mounted.size).toBe(0);
    for (const [, boxId] of apply.mock.calls) expect(parts.mounted).toContain(boxId);
    await faults.stop();
  });

  test('keep their connection where a fault acts on the box alone, or is refused', async () => {
    const { faults, parts } = liveFaultStage();
    await faults.begin(undefined, { weather: { coverage: 'none' } });
    await faults.begin(undefined, { weather: { signal: 9 } });
    const lost = await faults.begin(undefined, { break: { broker: { restart: { sessions: 'lost' } } } });
    expect(lost).toMatchObject({ kind: 'wrong', detail: expect.stringMatching(/keeps its sessions/) });
    expect([...parts.mounted]).toEqual([]);
    await faults.begin(undefined, { weather: { coverage: 'poor' } });
    expect(parts.mounted.size).toBe(3);
    await faults.stop();
  });

  test('begin no fault after the fleet has ended', async () => {
    const { faults } = liveFaultStage();
    await faults.stop();
    expect(await faults.begin(undefined, { weather: 'cut' })).toMatchObject({ kind: 'wrong' });
    expect(await faults.inForce()).toEqual([]);
  });
});

describe('weather and breaks on what runs', () => {
  let on: ReturnType<typeof stage>;
  beforeEach(() => {
    on = stage();
  });
  const coverageOf = () => [...on.boxes.values()].map((box) => box.truth()['hasCoverage']);

  test('has every word of the language, and says why of each that cannot be had', async () => {
    const words = await on.faults.words();
    expect(words.filter(({ of }) => of === 'weather').map(({ name }) => name)).toEqual(Object.keys(WEATHER));
    for (const [part, table] of Object.entries(BREAKS))
      expect(words.filter(({ of }) => of === part).map(({ name }) => name)).toEqual(Object.keys(table));
    expect(words.find(({ name }) => name === 'latency')?.unavailable).toBe('It is elsewhere.');
    expect(words.find(({ name }) => name === 'coverage')?.unavailable).toBeUndefined();
  });

  test('does each example that it offers without failing', async () => {
    for (const { example, unavailable } of await on.faults.words())
      if (unavailable === undefined)
        expect(await on.faults.begin(undefined, example as Record<string, unknown>)).not.toMatchObject({
          kind: 'wrong',
        });
    await on.faults.stop();
    expect(await on.faults.inForce()).toEqual([]);
  });

  test('lasts until it is lifted, on those alone that it was laid on', async () => {
    const { boxId } = on.first.plan;
    const { id } = inForce(await on.faults.begin([boxId], { weather: { coverage: 'none' } }));
    expect(coverageOf()).toEqual([...on.boxes.keys()].map((one) => one !== boxId));
    await on.loop.runUntil(on.time.nowMs() + 3_600_000);
    expect(await on.faults.inForce()).toMatchObject([{ id, boxes: [boxId] }]);
    expect(await on.faults.lift(id)).toMatchObject({ id, boxes: [boxId] });
    expect(coverageOf()).toEqual([true, true, true]);
    expect(await on.faults.lift(id)).toBeUndefined();
  });

  test('ends by itself after its time', async () => {
    await on.faults.begin(undefined, { weather: { coverage: 'none' }, for: '90s' });
    expect(coverageOf()).toEqual([false, false, false]);
    await on.loop.runUntil(on.time.nowMs() + 90_000);
    expect(coverageOf()).toEqual([true, true, true]);
    expect(await on.faults.inForce()).toEqual([]);
  });

  test('of two at once the worse one counts until both are over', async () => {
    const one = inForce(await on.faults.begin(undefined, { weather: { coverage: 'none' } }));
    await on.faults.begin(undefined, { weather: { coverage: 'none' }, for: '1m' });
    await on.faults.lift(one.id);
    expect(coverageOf()).toEqual([false, false, false]);
    await on.loop.runUntil(on.time.nowMs() + 60_000);
    expect(coverageOf()).toEqual([true, true, true]);
  });

  test('what happens at once is over at once', async () => {
    expect(await on.faults.begin(undefined, { break: { box: 'wipe' } })).toMatchObject({ kind: 'happened' });
    expect(on.first.calls).toEqual(['wipe']);
    expect(await on.faults.inForce()).toEqual([]);
  });

  test('says when it is removed that it had no effect', async () => {
    const { id } = inForce(await on.faults.begin(undefined, { break: { box: 'lost-write' }, for: '1m' }));
    expect(await on.faults.lift(id)).toMatchObject({ missed: 'no box wrote a record while it lasted' });
  });

  test.each([
    [{}, /Give weather or break/],
    [{ drive: {} }, /Give weather or break/],
    [{ weather: { coverge: 'none' } }, /^weather\.coverge: .* Did you mean coverage\?$/],
    [{ weather: { coverage: 'some' } }, /^weather\.coverage should be one of none, poor, good/],
    [{ weather: { signal: 9 }, for: '1 fortnight' }, /^for should be .*span of time/],
    [{ weather: { latency: { base: '1s' } } }, /latency is not available here: It is elsewhere/],
    [{ break: { backend: 'crash' } }, /boxtwin backend/],
    [{ break: { box: 'torn-write' } }, /torn-write is not available here/],
  ])('of %j says what is wrong', async (wish, detail) => {
    expect(await on.faults.begin(undefined, wish)).toEqual({
      kind: 'wrong',
      detail: expect.stringMatching(detail),
    });
    expect(await on.faults.inForce()).toEqual([]);
  });

  test('at the end, one that cannot be lifted keeps no other in force', async () => {
    const [one = '', another = ''] = on.boxes.keys();
    await on.faults.begin([one], { weather: { coverage: 'none' } });
    await on.faults.begin([another], { weather: { coverage: 'none' } });
    vi.spyOn(on.faults, 'lift').mockRejectedValueOnce(new Error('its part has ended'));
    await on.faults.stop();
    expect(on.boxes.get(another)?.truth()['hasCoverage']).toBe(true);
  });

  test('is bounded', async () => {
    const lay = () => on.faults.begin(undefined, { weather: { signal: 9 } });
    for (let count = 0; count < limits.faultsInForce; count += 1) inForce(await lay());
    expect(await lay()).toMatchObject({ kind: 'wrong', detail: expect.stringContaining('Remove one first') });
  });

  test('is had by HTTP: listed, laid by the id of a vehicle, lifted, refused', async () => {
    const { vehicleId, boxId } = on.first.plan;
    const laid = await on.ask('/faults', 'POST', { on: [vehicleId], weather: { signal: 3 }, for: '1m' });
    expect(laid).toMatchObject({ status: 201, body: { id: '1', boxes: [boxId] } });
    expect((await on.ask('/faults')).body['in_force']).toHaveLength(1);
    expect((await on.ask('/faults/1', 'DELETE')).status).toBe(200);
    expect((await on.ask('/faults/1', 'DELETE')).status).toBe(404);
    expect(await on.ask('/faults', 'POST', { break: { box: 'wipe' } })).toMatchObject({
      status: 200,
      body: { fault: { break: { box: 'wipe' } }, struck: 'yes' },
    });
    expect((await on.ask('/faults')).body['ended']).toHaveLength(2);
    expect((await on.ask('/faults', 'POST', { on: ['nobody'], weather: 'cut' })).status).toBe(404);
    expect((await on.ask('/faults', 'POST', { on: [], weather: { signal: 3 } })).status).toBe(400);
    expect((await on.ask('/faults', 'POST', { weather: { sgnal: 3 } })).status).toBe(400);
    expect((await on.ask('/faults', 'PUT', {})).status).toBe(405);
  });
});

test('a link in a file is refused, and one that is built in is played', async () => {
  const { faults } = liveFaultStage();
  expect(await faults.begin(undefined, { weather: { trace: { file: 'a.trace' } } })).toEqual({
    kind: 'wrong',
    detail: expect.stringContaining('a built-in link'),
  });
  inForce(await faults.begin(undefined, { weather: { trace: { link: 'train' } } }));
});

test.each([
  ['mqtt://127.0.0.1:1883', 500, undefined],
  ['mqtt://127.0.0.1:1883', limits.faultyLinks + 1, /up to/],
  ['mqtt://one,mqtt://two', 5, /several addresses/],
  ['mqtts://one', 5, /encrypted/],
])('links to %s of %i boxes', (url, boxes, trouble) => {
  const found = linkTrouble(url, boxes);
  if (trouble === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(trouble);
});
