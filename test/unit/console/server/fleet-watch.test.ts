import { describe, expect, test } from 'vitest';
import { type FleetChanges, vehicleOf } from '../../../../console/stream/fleet-changes.ts';
import { consoleStage } from '../../../support/console/console-stage.ts';

/** Reads events of a stream, letting time pass until one is there. */
async function openStream(stage: ReturnType<typeof consoleStage>, path: string) {
  const answer = await stage.asPage(path);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const reader = answer.body?.getReader();
  if (reader === undefined) throw new Error('The stream has no body.');
  const texts: string[] = [];
  return {
    close: () => reader.cancel(),
    /** The data of the next event; undefined where none comes within that time. */
    async next(withinMs = 5_000): Promise<FleetChanges | undefined> {
      const untilMs = stage.loop.nowMs + withinMs;
      let taken: FleetChanges | undefined;
      const reading = (async () => {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) return undefined;
          const text = new TextDecoder().decode(value);
          texts.push(text);
          const data = /^data: (.*)$/m.exec(text)?.[1];
          if (data !== undefined) return JSON.parse(data) as FleetChanges;
        }
      })().then((data) => {
        taken = data;
      });
      while (taken === undefined && stage.loop.nowMs < untilMs) {
        await stage.loop.runUntil(stage.loop.nowMs + 50);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (taken === undefined) void reading;
      return taken;
    },
    texts,
  };
}

describe('the stream of the fleet', () => {
  test('begins with every vehicle, and then tells only what has changed', async () => {
    const stage = consoleStage({ count: 5 });
    const stream = await openStream(stage, '/console/fleet');
    const all = await stream.next();
    expect(all?.boxes).toBe(5);
    expect(all?.rows.map(([id]) => id)).toEqual([...stage.boxes.keys()].sort());
    stage.first.drive();
    stage.first.advance(20_000);
    const changed = await stream.next();
    expect(changed?.rows).toHaveLength(1);
    const [row] = changed?.rows ?? [];
    if (row === undefined) throw new Error('There is no row.');
    expect(vehicleOf(row)).toMatchObject({
      boxId: stage.first.plan.boxId,
      ignitionOn: true,
      connectivity: 'ready',
    });
    await stream.close();
  });

  test('looks at nothing while nobody takes what it has', async () => {
    const stage = consoleStage();
    const stream = await openStream(stage, '/console/fleet');
    await stream.next();
    const looks = () => stage.asked.filter((path) => path === '/fleet').length;
    const before = looks();
    for (let step = 0; step < 40; step += 1) {
      await stage.loop.runUntil(stage.loop.nowMs + 500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(looks() - before).toBeLessThanOrEqual(1);
    await stream.close();
  });

  test('of a page that has left is not waited for any longer, though nothing changes', async () => {
    const stage = consoleStage();
    const stream = await openStream(stage, '/console/fleet');
    await stream.next();
    await stream.next(2_000);
    await stream.close();
    const looks = () => stage.asked.filter((path) => path === '/fleet').length;
    const before = looks();
    for (let step = 0; step < 40; step += 1) {
      await stage.loop.runUntil(stage.loop.nowMs + 500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(before).toBeGreaterThan(2);
    expect(looks() - before).toBeLessThanOrEqual(1);
  });

  test('tells that a box is gone', async () => {
    const stage = consoleStage({ count: 3 });
    const stream = await openStream(stage, '/console/fleet');
    await stream.next();
    stage.boxes.delete(stage.first.plan.boxId);
    expect(await stream.next()).toEqual({ boxes: 2, rows: [], gone: [stage.first.plan.boxId] });
    await stream.close();
  });
});
