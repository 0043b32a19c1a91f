import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeVehicleCache } from '../../../../backend/ingest/vehicle-cache.ts';
import { boxVehicle } from '../../../support/backend/ingest-input.ts';

/** A store with these boxes, at version 1; it writes down which ones it is asked for. */
function openCache(boxIds: readonly string[], capacity: number) {
  const asked: string[][] = [];
  const known = new Map(boxIds.map((boxId) => [boxId, { vehicle: boxVehicle({ boxId }), version: 1 }]));
  const load = (wanted: readonly string[]) => {
    asked.push([...wanted]);
    return Promise.resolve(new Map([...known].filter(([boxId]) => wanted.includes(boxId))));
  };
  return { cache: makeVehicleCache({ load }, capacity), asked, known };
}

const BOXES = ['a', 'b', 'c', 'd', 'e'];

describe('vehicles in memory', () => {
  test('are read once, and those that are not onboarded each time', async () => {
    const { cache, asked, known } = openCache(['a', 'b'], 10);
    expect(await cache.read(['a', 'b', 'x'])).toEqual(known);
    expect(await cache.read(['a', 'b'])).toEqual(known);
    expect([...(await cache.read(['x', 'a'])).keys()]).toEqual(['a']);
    expect(asked).toEqual([['a', 'b', 'x'], ['x']]);
  });

  test('are those that were used last, so many as there is room for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...BOXES), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        async (uses, capacity) => {
          const { cache, asked } = openCache(BOXES, capacity);
          let kept: string[] = [];
          for (const boxId of uses) {
            const before = asked.length;
            await cache.read([boxId]);
            expect(asked.length - before, `${boxId} of ${kept.join(' ')}`).toBe(kept.includes(boxId) ? 0 : 1);
            kept = [boxId, ...kept.filter((one) => one !== boxId)].slice(0, capacity);
          }
        },
      ),
    );
  });

  test('are after a commit what was written, at the next version, without being read again', async () => {
    const { cache, asked } = openCache(['a', 'b'], 10);
    const known = await cache.read(['a', 'b']);
    const changed = boxVehicle({ boxId: 'a', tags: ['pool'] });
    cache.wrote(known, new Map([['a', changed]]));
    const again = await cache.read(['a', 'b']);
    expect(again.get('a')).toEqual({ vehicle: changed, version: 2 });
    expect(again.get('b')).toEqual(known.get('b'));
    expect(asked).toHaveLength(1);
  });

  test('that were not known before a commit are not kept by it', async () => {
    const { cache, asked } = openCache(['a'], 10);
    cache.wrote(new Map(), new Map([['a', boxVehicle({ boxId: 'a', tags: ['pool'] })]]));
    expect((await cache.read(['a'])).get('a')?.version).toBe(1);
    expect(asked).toEqual([['a']]);
  });

  test('are read again once they are forgotten', async () => {
    const { cache, asked } = openCache(['a', 'b'], 10);
    await cache.read(['a', 'b']);
    cache.forget(['a']);
    await cache.read(['a', 'b']);
    expect(asked).toEqual([['a', 'b'], ['a']]);
  });
});
