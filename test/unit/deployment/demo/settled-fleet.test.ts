import { expect, test } from 'vitest';
import { fleetSettled } from '../../../../deployment/demo/settled-fleet.ts';
import { limits } from '../../../../deployment/shared/limits.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';
import { boxVehicle } from '../../../support/backend/ingest-input.ts';

/** When a box comes so far, in milliseconds after the start; undefined: never. */
interface Course {
  readonly upMs: number | undefined;
  readonly readyMs?: number;
  readonly configuredMs?: number;
}

/** How long a start waits for boxes that come up in that way. `read`: each read of a vehicle, with its time. */
async function waitedMs(
  courses: readonly Course[],
  isEnded = () => false,
  read: (nowMs: number) => void = () => undefined,
): Promise<number> {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('start'));
  const beganMs = loop.nowMs;
  const isPast = (atMs: number | undefined) => atMs !== undefined && loop.nowMs - beganMs >= atMs;
  const courseOf = (id: string) => courses[Number(id.slice(1))];
  let endedMs: number | undefined;
  const settled = fleetSettled({
    time,
    isEnded,
    boxes: courses.map((course, index) => ({
      boxId: `B${index}`,
      vehicleId: `V${index}`,
      isUp: () => isPast(course.upMs),
    })),
    store: {
      vehicles: {
        find: async (id) => {
          read(loop.nowMs);
          const course = courseOf(id);
          const vehicle = boxVehicle({ id, boxId: `B${id.slice(1)}` });
          const connection = { counter: 1, open: true, atMs: beganMs };
          const isReady = isPast(course?.readyMs ?? course?.upMs);
          const notReadyUntilMs = isReady ? undefined : loop.nowMs + 60_000;
          return { ...vehicle, box: { ...vehicle.box, connection, notReadyUntilMs } } as never;
        },
      },
      configuration: {
        read: async (boxId) => {
          const course = courseOf(boxId);
          return { revision: isPast(course?.configuredMs ?? course?.upMs) ? 1 : 0 } as never;
        },
      },
    },
  }).then(() => {
    endedMs = loop.nowMs - beganMs;
  });
  await loop.runUntil(beganMs + 10 * limits.readyMostMs);
  await settled;
  return endedMs ?? Number.NaN;
}

const LOOK_MS = limits.readyLookMs;

test('a start waits for every box of a large fleet, until the service knows it ready and configured', async () => {
  const many = Array.from({ length: 300 }, (_, index): Course => ({ upMs: 10 * index }));
  expect(await waitedMs(many)).toBeGreaterThanOrEqual(2_990);
  expect(await waitedMs(many)).toBeLessThanOrEqual(2_990 + LOOK_MS);
  const unheard = await waitedMs([{ upMs: 100 }, { upMs: 100, readyMs: 1_700 }]);
  expect(unheard).toBeGreaterThanOrEqual(1_700);
  expect(unheard).toBeLessThanOrEqual(1_700 + LOOK_MS);
  const unconfigured = await waitedMs([{ upMs: 100, configuredMs: 2_400 }, { upMs: 100 }]);
  expect(unconfigured).toBeGreaterThanOrEqual(2_400);
  expect(unconfigured).toBeLessThanOrEqual(2_400 + LOOK_MS);
});

test('a box that does not come is not waited for longer than after the last that came', async () => {
  const silent = await waitedMs([{ upMs: 1_000 }, { upMs: undefined }, { upMs: 1_000, configuredMs: 9e9 }]);
  expect(silent).toBeGreaterThanOrEqual(1_000 + limits.readyWaitMs);
  expect(silent).toBeLessThanOrEqual(1_000 + limits.readyWaitMs + 2 * LOOK_MS);
  const slow = Array.from({ length: 60 }, (_, index): Course => ({ upMs: 1_000 * index }));
  expect(await waitedMs(slow)).toBeLessThanOrEqual(limits.readyMostMs + LOOK_MS);
  expect(await waitedMs([{ upMs: undefined }], () => true)).toBe(0);
});

test('a start reads a bounded number of boxes at each look, and yet waits for every box', async () => {
  const count = 5 * limits.readyLookBoxes;
  const reads = new Map<number, number>();
  const last = { upMs: 0, configuredMs: 3_000 };
  const courses = [...Array.from({ length: count }, (): Course => ({ upMs: 0, configuredMs: 1_000 })), last];
  const waited = await waitedMs(
    courses,
    () => false,
    (nowMs) => reads.set(nowMs, (reads.get(nowMs) ?? 0) + 1),
  );
  expect(Math.max(...reads.values())).toBe(limits.readyLookBoxes);
  expect(waited).toBeGreaterThanOrEqual(3_000);
  expect(waited).toBeLessThanOrEqual(3_000 + LOOK_MS);
});
