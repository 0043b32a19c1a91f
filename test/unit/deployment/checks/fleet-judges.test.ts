import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Judgement } from '../../../../deployment/checks/check.ts';
import {
  judgeDiskSpace,
  judgeHeap,
  judgeLocalPorts,
  judgeMemory,
  judgeMemoryLink,
  judgeOpenFiles,
  judgeSize,
} from '../../../../deployment/checks/fleet-judges.ts';
import {
  diskBytesOf,
  type FleetSize,
  heapBytesOf,
  localPortsOf,
  memoryBytesOf,
  mostVehicles,
  openFilesOf,
  seenOnline,
} from '../../../../deployment/checks/needs.ts';
import { limits } from '../../../../deployment/shared/limits.ts';

const GIBIBYTE = 2 ** 30;
const anyVehicles = fc.integer({ min: 0, max: limits.vehicles });
const anyBytes = fc.integer({ min: 0, max: 64 * GIBIBYTE });
const RANK = { ok: 0, warning: 1, failed: 2 } as const;

/** One judge with any facts, as a function of the fleet alone. */
const anyJudge = fc.oneof(
  fc.constant(judgeSize),
  fc
    .option(fc.integer({ min: 3, max: 100_000 }), { nil: undefined })
    .map((files) => (size: FleetSize) => judgeOpenFiles(size, { soft: files, hard: files })),
  fc
    .option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })
    .map((ports) => (size: FleetSize) => judgeLocalPorts(size, { ports })),
  fc
    .tuple(anyBytes, anyBytes)
    .map(
      (bytes) => (size: FleetSize) =>
        judgeMemory(size, { boundBytes: Math.max(...bytes), freeBytes: Math.min(...bytes) }),
    ),
  anyBytes.map((boundBytes) => (size: FleetSize) => judgeHeap(size, { boundBytes })),
  anyBytes.map((boundBytes) => (size: FleetSize) => judgeMemoryLink(size.vehicles, { boundBytes })),
  anyBytes.map((freeBytes) => (size: FleetSize) => judgeDiskSpace(size, { path: '/data', freeBytes })),
);

const sizeOf = (vehicles: number, hasBothEnds = true): FleetSize => ({
  vehicles,
  hasBothEnds,
  isDriven: true,
});

describe('what a fleet of some size needs', () => {
  test('is judged no milder for a larger fleet', () => {
    fc.assert(
      fc.property(anyJudge, anyVehicles, anyVehicles, fc.boolean(), (judge, one, other, isEmbedded) => {
        const [small, large] = [Math.min(one, other), Math.max(one, other)];
        const verdictOf = (vehicles: number) => RANK[judge(sizeOf(vehicles, isEmbedded)).verdict];
        expect(verdictOf(large)).toBeGreaterThanOrEqual(verdictOf(small));
      }),
    );
  });

  test('comes with a remedy exactly where something is wrong', () => {
    fc.assert(
      fc.property(anyJudge, anyVehicles, (judge, vehicles) => {
        const { verdict, remedy } = judge(sizeOf(vehicles));
        expect(remedy === undefined).toBe(verdict === 'ok');
      }),
    );
  });

  test.each<[string, (size: FleetSize) => number, (size: FleetSize, bound: number) => Judgement]>([
    ['open files', openFilesOf, (size, bound) => judgeOpenFiles(size, { soft: bound, hard: bound })],
    ['local ports', localPortsOf, (size, ports) => judgeLocalPorts(size, { ports })],
    ['memory', memoryBytesOf, (size, bound) => judgeMemory(size, { boundBytes: bound, freeBytes: bound })],
  ])('%s that are just enough are enough, and one less fails', (_, needOf, judge) => {
    fc.assert(
      fc.property(anyVehicles, fc.boolean(), (vehicles, isEmbedded) => {
        const size = sizeOf(vehicles, isEmbedded);
        expect(judge(size, needOf(size)).verdict).toBe('ok');
        expect(judge(size, needOf(size) - 1).verdict).toBe('failed');
      }),
    );
  });

  test('the largest fleet that a remedy names fits, and one vehicle more does not', () => {
    fc.assert(
      fc.property(anyVehicles, fc.integer({ min: 400, max: 60_000 }), (vehicles, files) => {
        const facts = { soft: files, hard: files };
        const { verdict, remedy = '' } = judgeOpenFiles(sizeOf(vehicles), facts);
        if (verdict === 'ok') return;
        const fitting = Number(/--vehicles (\d+)/.exec(remedy)?.[1]);
        expect(judgeOpenFiles(sizeOf(fitting), facts).verdict).toBe('ok');
        expect(judgeOpenFiles(sizeOf(fitting + 1), facts).verdict).toBe('failed');
      }),
    );
  });

  test('grows with the fleet, also past the sizes that were measured', () => {
    fc.assert(
      fc.property(anyVehicles, fc.integer({ min: 1, max: 1_000 }), (vehicles, more) => {
        for (const needOf of [openFilesOf, localPortsOf, memoryBytesOf, heapBytesOf, diskBytesOf])
          expect(needOf(sizeOf(vehicles + more))).toBeGreaterThanOrEqual(needOf(sizeOf(vehicles)));
      }),
    );
  });

  test('the largest fleet that fits is found wherever the bound lies', () => {
    fc.assert(
      fc.property(anyVehicles, (bound) => {
        expect(mostVehicles(sizeOf(0), ({ vehicles }) => vehicles <= bound)).toBe(bound);
      }),
    );
    expect(mostVehicles(sizeOf(0), () => false)).toBe(0);
  });

  test('the largest fleet that may be asked for has local ports in the usual range of Linux', () => {
    expect(judgeLocalPorts(sizeOf(limits.vehicles), { ports: 60_999 - 32_768 + 1 }).verdict).toBe('ok');
  });
});

describe('the sentence about open files', () => {
  test('says the need, the bound and what to type', () => {
    expect(judgeOpenFiles(sizeOf(10_000), { soft: 4_096, hard: 4_096 })).toMatchObject({
      verdict: 'failed',
      text: '10,000 vehicles need 20,400 open files; this process may have 4,096.',
      remedy: expect.stringMatching(
        /^Raise it: ulimit -n 20400 .*then start again; or take at most --vehicles 1848\.$/,
      ),
    });
  });

  test('does not send to root whoever may raise it alone', () => {
    expect(judgeOpenFiles(sizeOf(10_000), { soft: 4_096, hard: 65_536 }).remedy).toMatch(
      /^Raise it: ulimit -n 20400, then start again;/,
    );
  });

  test('counts one socket a box where the broker is elsewhere', () => {
    expect(judgeOpenFiles(sizeOf(10_000, false), { soft: 10_400, hard: undefined }).verdict).toBe('ok');
  });

  test('says any number where there is no bound', () => {
    const unbounded = { soft: Number.POSITIVE_INFINITY, hard: Number.POSITIVE_INFINITY };
    expect(judgeOpenFiles(sizeOf(28_000), unbounded)).toMatchObject({
      verdict: 'ok',
      text: expect.stringContaining('any number'),
    });
  });

  test('warns where the system does not tell, once it is more than the smallest usual bound', () => {
    expect(judgeOpenFiles(sizeOf(500), { soft: undefined, hard: undefined }).verdict).toBe('warning');
  });
});

test('a fleet larger than any that was seen online is a warning, and with drivers sooner than without', () => {
  const driven = seenOnline({ isDriven: true });
  expect(driven).toBeLessThan(seenOnline({ isDriven: false }));
  expect(judgeSize(sizeOf(driven)).verdict).toBe('ok');
  expect(judgeSize(sizeOf(driven + 1)).verdict).toBe('warning');
  expect(judgeSize({ ...sizeOf(driven + 1), isDriven: false }).verdict).toBe('ok');
});

test('memory that others use at the moment is a warning, and memory that is not there a failure', () => {
  const size = sizeOf(1_000);
  const needed = memoryBytesOf(size);
  expect(judgeMemory(size, { boundBytes: needed, freeBytes: needed - 1 }).verdict).toBe('warning');
  expect(judgeMemory(size, { boundBytes: needed - 1, freeBytes: 0 }).verdict).toBe('failed');
});
