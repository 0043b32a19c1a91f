import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeadZones } from '../../console/server/dead-zones.ts';
import type { FleetNews } from '../../console/server/fleet-watch.ts';
import { rowOf } from '../../console/stream/fleet-changes.ts';
import { VirtualLoop } from '../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../world/time/virtual-time.ts';

const BOXES = ['a', 'b', 'c'] as const;
type Box = (typeof BOXES)[number];

/** A place on the equator, by hundredths of a degree: a bit more than a kilometre. */
const placeOf = (at: number) => ({ latitude: 0, longitude: at / 100 });

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ lay: fc.nat(4), radiusM: fc.constantFrom(500, 1_500) }) },
  { weight: 3, arbitrary: fc.record({ lift: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ move: fc.constantFrom(...BOXES), to: fc.nat(4) }) },
  { weight: 4, arbitrary: fc.record({ letGo: fc.nat(5) }) },
);

/**
 * Vehicles and the requests of the zones. As over HTTP each request takes any time, and one is carried out at any moment within
 * that; one of `fails` fails, after it was carried out or not at all.
 */
function stage(fails: readonly ('before' | 'after' | 'no')[]) {
  const loop = new VirtualLoop();
  const at = new Map<Box, number>(BOXES.map((box, index) => [box, index]));
  const covered = new Map<string, boolean>();
  const waiting: (() => void)[] = [];
  let asked = 0;
  let news = Promise.withResolvers<void>();
  let look = 0;
  const moved = new Map<Box, number>(BOXES.map((box) => [box, 1]));
  look = 1;
  const newsAfter = async (last: number): Promise<FleetNews> => {
    while (look <= last) await news.promise;
    const rows = BOXES.filter((box) => (moved.get(box) ?? 0) > last).map((boxId) =>
      rowOf({
        boxId,
        vehicleId: null,
        model: 'm',
        licensePlate: '',
        firmware: '2.30',
        headingDegrees: 0,
        ...placeOf(at.get(boxId) ?? 0),
        speedKph: 0,
        ignitionOn: false,
        hasCoverage: true,
        connectivity: 'ready',
        heldRecords: 0,
      }),
    );
    return { look, changes: { boxes: BOXES.length, rows, gone: [] } };
  };
  /** Resolves when the test lets it go. */
  const turn = () => new Promise<void>((resolve) => void waiting.push(resolve));
  const zones = new DeadZones(
    virtualTime(loop, new ProcessScope('console')),
    { newsAfter },
    async (boxId, available) => {
      const outcome = fails[asked] ?? 'no';
      asked += 1;
      // Taking coverage looks the vehicle up first.
      if (!available) await turn();
      if (outcome === 'before') throw new Error('refused');
      await turn();
      covered.set(boxId, available);
      await turn();
      if (outcome === 'after') throw new Error('the answer was lost');
    },
  );
  const quiet = async () => {
    for (let turns = 0; turns < 40; turns += 1) await Promise.resolve();
  };
  const letGo = async (index: number) => {
    waiting.splice(index % Math.max(1, waiting.length), 1)[0]?.();
    await quiet();
  };
  return {
    zones,
    covered,
    async move(box: Box, to: number) {
      look += 1;
      at.set(box, to);
      moved.set(box, look);
      news.resolve();
      news = Promise.withResolvers();
      await quiet();
    },
    quiet,
    letGo,
    /** Everything that waits is answered, and failed requests are made again. */
    async settle() {
      for (let rounds = 0; rounds < 60; rounds += 1) {
        while (waiting.length > 0) await letGo(0);
        await loop.runUntil(loop.nowMs + 1_000);
        await quiet();
      }
    },
    isInZone: (box: Box, laid: ReadonlyMap<string, { readonly at: number; readonly radiusM: number }>) =>
      [...laid.values()].some((zone) => Math.abs(zone.at - (at.get(box) ?? 0)) * 1_113 < zone.radiusM),
  };
}

test('whatever overtakes what, a vehicle has no coverage in a zone, and has it back once it is in none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.array(fc.constantFrom('no', 'no', 'before', 'after'), { maxLength: 20 }),
      async (steps, fails) => {
        const { zones, covered, move, letGo, quiet, settle, isInZone } = stage(fails);
        const laid = new Map<string, { readonly at: number; readonly radiusM: number }>();
        for (const one of steps) {
          if ('lay' in one) {
            const zone = zones.add({ around: placeOf(one.lay), radiusM: one.radiusM });
            if (zone !== undefined) laid.set(zone.id, { at: one.lay, radiusM: one.radiusM });
          } else if ('lift' in one) {
            const id = [...laid.keys()][one.lift % Math.max(1, laid.size)];
            if (id !== undefined) {
              laid.delete(id);
              void zones.remove(id);
            }
          } else if ('move' in one) await move(one.move, one.to);
          else await letGo(one.letGo);
          await quiet();
        }
        await settle();
        for (const box of BOXES) expect(covered.get(box) ?? true, box).toBe(!isInZone(box, laid));
        for (const id of laid.keys()) void zones.remove(id);
        await settle();
        for (const box of BOXES) expect(covered.get(box) ?? true, box).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
