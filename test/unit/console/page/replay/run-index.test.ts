import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstDifference } from '../../../../../console/page/replay/difference.ts';
import { readRun } from '../../../../../console/page/replay/read-run.ts';
import { RunIndex } from '../../../../../console/page/replay/run-index.ts';
import { Series } from '../../../../../console/page/replay/series.ts';
import { readRow, type TraceRow } from '../../../../../console/page/replay/trace-row.ts';
import type { TraceRow as WrittenRow } from '../../../../../scenarios/trace/rows.ts';
import { ROWS } from '../../../../../scenarios/trace/rows.ts';

const HEADER = {
  kind: 'header',
  format: 'boxtwin-trace/1',
  scenario: 'tunnel',
  seed: 7,
  world: 'virtual',
} as const;
const rows: readonly TraceRow[] = [
  HEADER,
  { kind: 'begin', at_ms: 1_000 },
  {
    kind: 'vehicle',
    at_ms: 1_000,
    vehicle: 1,
    group: 'a',
    model: 'petrol-compact',
    box_id: 'b1',
    session: true,
  },
  { kind: 'event', at_ms: 1_500, who: 'box/b1', what: 'frame-up', detail: 'b70213' },
  { kind: 'fault', at_ms: 2_000, name: 'weather coverage', detail: 'none', vehicles: [1], phase: 'begins' },
  { kind: 'connectivity', at_ms: 2_000, vehicle: 1, state: 'offline' },
  { kind: 'journal', at_ms: 2_500, vehicle: 1, held: 3 },
  {
    kind: 'answer',
    at_ms: 2_600,
    call: 1,
    vehicle: 1,
    status: 504,
    took_ms: 20_000,
    detail: 'No connection.',
  },
  { kind: 'fault', at_ms: 3_000, name: 'weather coverage', detail: 'none', vehicles: [1], phase: 'ends' },
  { kind: 'connectivity', at_ms: 3_100, vehicle: 1, state: 'ready' },
  { kind: 'message', at_ms: 3_200, vehicle: 1, name: 'VehicleStateReceived', queue: 'q' },
  { kind: 'finding', at_ms: 3_300, checker: 'nothing-lost', vehicle: 1, text: 'a record is lost' },
  { kind: 'end', at_ms: 4_000, verdict: 'failed' },
];

const streamOf = (text: string, step = text.length) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < text.length; at += step)
        controller.enqueue(new TextEncoder().encode(text.slice(at, at + step)));
      controller.close();
    },
  });
const textOf = (all: readonly unknown[]) => all.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('a run by its trace', () => {
  test('is known at every moment: session, journal, faults, messages, what failed', async () => {
    const { run, trouble } = await readRun(streamOf(textOf(rows)), () => undefined);
    expect(trouble).toBeUndefined();
    const vehicle = run.vehicle(1);
    expect([1_999, 2_000, 3_099, 3_100].map((ms) => vehicle.connectivity.at(ms))).toEqual([
      ...['ready', 'offline', 'offline', 'ready'],
    ]);
    expect([2_499, 2_500].map((ms) => vehicle.held.at(ms) ?? 0)).toEqual([0, 3]);
    expect(vehicle.messages.at(3_200)).toBe(1);
    expect(run.faults).toMatchObject([{ name: 'weather coverage', fromMs: 2_000, toMs: 3_000 }]);
    expect(run.failures.map(({ atMs, text }) => [atMs, text])).toEqual([
      [3_300, 'nothing-lost: a record is lost'],
    ]);
    expect(run.entries.find(({ kind }) => kind === 'frame')).toMatchObject({
      vehicle: 1,
      text: '↑',
      hex: 'b70213',
    });
    expect([run.scenario, run.verdict, run.beginMs, run.endMs]).toEqual(['tunnel', 'failed', 1_000, 4_000]);
  });

  test('is the same however its bytes come', async () => {
    const text = textOf(rows);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: text.length }), async (step) => {
        const { run } = await readRun(streamOf(text, step), () => undefined);
        expect(run.entries).toHaveLength(8);
      }),
      { numRuns: 30 },
    );
  });

  test('that was cut is shown up to there, and says so', async () => {
    const cut = textOf(rows).slice(0, -10);
    const { run, trouble } = await readRun(streamOf(cut), () => undefined);
    expect(trouble).toMatch(/Line 13: .*cut/);
    expect(run.failures).toHaveLength(1);
    const ended = await readRun(streamOf(textOf(rows.slice(0, -1))), () => undefined);
    expect(ended.trouble).toContain('The last row is not the end');
  });

  test.each([
    ['', 'The file is empty.'],
    ['{"kind":"header","format":"boxtwin-trace/9","scenario":"x","seed":1}\n', 'boxtwin-trace/9'],
    ['hello\n', 'Line 1: this is not JSON'],
    ['{"a":1}\n', 'Line 1: this is not a row'],
    ['{"kind":"begin","at_ms":1}\n', 'Line 1: the first row of a trace is its header.'],
  ])('that is none is refused with the reason: %j', async (text, reason) => {
    await expect(readRun(streamOf(text), () => undefined)).rejects.toThrow(reason);
  });

  test('may have rows of a later version, which are passed over', () => {
    expect(readRow('{"kind":"tide","at_ms":1}')).toBeUndefined();
  });

  test('reads every kind of row that is written', () => {
    // The compiler holds that a written row is one that is read.
    const read = (row: WrittenRow): TraceRow => row;
    expect(read(HEADER)).toBe(HEADER);
    for (const kind of Object.keys(ROWS))
      expect(readRow(JSON.stringify({ ...HEADER, kind, at_ms: 1 })), kind).toBeTypeOf('object');
  });

  test('leaves frames out once there are too many, and counts them', () => {
    const run = new RunIndex();
    run.add(HEADER);
    for (let count = 0; count < 400_010; count += 1)
      run.add({ kind: 'event', at_ms: count, who: 'box/b', what: 'frame-up' });
    run.add({ kind: 'finding', at_ms: 400_011, checker: 'c', text: 't' });
    expect([run.leftOut, run.failures.length]).toEqual([10, 1]);
  });
});

test('a series has the last value before each moment', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000)), fc.nat(1_000), (times, atMs) => {
      const series = new Series<number>();
      const sorted = times.toSorted((a, b) => a - b);
      sorted.forEach((time, index) => {
        series.add(time, index);
      });
      const expected = sorted.findLastIndex((time) => time <= atMs);
      expect(series.at(atMs)).toBe(expected < 0 ? undefined : expected);
    }),
  );
});

describe('two runs', () => {
  const indexOf = (all: readonly TraceRow[], shiftMs = 0) => {
    const run = new RunIndex();
    for (const row of all) run.add('at_ms' in row ? { ...row, at_ms: row.at_ms + shiftMs } : row);
    return run;
  };

  test('that are the same have no difference, whenever they were', () => {
    expect(firstDifference(indexOf(rows), indexOf(rows, 5_000_000))).toBeUndefined();
  });

  test('part at the first line that is another one, or that only one of them has', () => {
    const other = rows.map((row) => (row.kind === 'answer' ? { ...row, status: 200 } : row));
    expect(firstDifference(indexOf(rows), indexOf(other))).toMatchObject({
      afterMs: 1_600,
      one: { text: expect.stringContaining('504') },
      other: { text: expect.stringContaining('200') },
    });
    const shorter = rows.filter(({ kind }) => kind !== 'finding');
    expect(firstDifference(indexOf(rows), indexOf(shorter))).toMatchObject({
      afterMs: 2_300,
      other: undefined,
    });
  });
});
