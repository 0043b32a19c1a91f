import { describe, expect, test } from 'vitest';
import { bestOf, percentilesOf } from '../../../../../qa/bench/measure/figures.ts';
import { type Entry, recorded, tableText } from '../../../../../qa/bench/measure/record.ts';
import { rowsOf } from '../../../../../qa/bench/measure/table.ts';

const figure = {
  name: 'frames',
  unit: 'frames/s',
  rounds: [
    { bare: 1_000, ours: 500 },
    { bare: 2_000, ours: 1_400 },
    { bare: 1_500, ours: 1_350 },
  ],
  aim: 0.6,
};

describe('the rows of a result', () => {
  test('are the best of ours beside the best of bare, with the median of the rounds', () => {
    expect(rowsOf(figure)).toEqual([
      {
        figure: 'frames',
        ours: '1,400 frames/s',
        bare: '2,000',
        aim: '0.6',
        isReached: true,
        ratio: '0.70 (median of 3 rounds 0.70)',
      },
    ]);
    expect(rowsOf({ ...figure, aim: 0.71 })[0]?.isReached).toBe(false);
    expect(rowsOf({ ...figure, aim: undefined })[0]).toMatchObject({ aim: '', isReached: undefined });
  });

  test('of calls that failed reach no aim, however fast the others were', () => {
    const bare = { p50Ms: 5, p99Ms: 10, failed: 0 };
    const of = (failed: number) =>
      rowsOf({ name: 'n', aim: 3, latencies: [{ perS: 500, bare, ours: { p50Ms: 6, p99Ms: 20, failed } }] });
    expect(of(0)[0]).toMatchObject({ ratio: 'p99 2.0', isReached: true });
    expect(of(1)[0]).toMatchObject({ isReached: false });
  });

  test('of durations and starts are the shortest, of rates the highest', () => {
    expect(rowsOf({ name: 'n', unit: 's', durations: [3, 1.5], aim: 1 })[0]).toMatchObject({
      ours: '1.5 s',
      isReached: false,
    });
    expect(rowsOf({ name: 'n', unit: 'x', rates: [7, 9], aim: 9 })[0]?.isReached).toBe(true);
    const starts = [
      { wallS: 2, cpuS: 1 },
      { wallS: 1, cpuS: undefined },
    ];
    expect(rowsOf({ name: 'n', starts, aimS: 1 })[0]).toMatchObject({ ours: '1.00 s', isReached: true });
  });

  test('of several backends stand beside the only one, and a failed command reaches no aim', () => {
    const cost = (backends: number, recordMs: number, failed = 0) => ({
      backends,
      recordMs,
      commandMs: 2,
      recordsPerS: 200,
      commitsPerS: 33,
      commitMs: 5,
      failed,
      commitsLost: 0,
    });
    const rows = (...backendCosts: readonly ReturnType<typeof cost>[]) =>
      rowsOf({ name: 'n', backendCosts, aim: 1.1 });
    expect(rows(cost(1, 1), cost(4, 1.05))).toMatchObject([
      { figure: 'n: 1 of them', bare: '', isReached: undefined },
      { figure: 'n: 4 of them', ratio: 'record 1.05, command 1.00', isReached: true },
    ]);
    expect(rows(cost(1, 1), cost(4, 1.2))[1]?.isReached).toBe(false);
    expect(rows(cost(1, 1), cost(4, 1, 1))[1]?.isReached).toBe(false);
  });

  test('latencies name the processor time of a call where it was measured', () => {
    const took = { p50Ms: 1, p99Ms: 2, failed: 0 };
    const latencies = [{ perS: 50, bare: took, ours: { ...took, cpuMs: 1.234 } }];
    expect(rowsOf({ name: 'n', latencies, aim: undefined })).toMatchObject([
      { bare: 'p50 1.0 ms, p99 2.0 ms', ours: 'p50 1.0 ms, p99 2.0 ms, 1.23 ms of processor each' },
    ]);
  });

  test('take the round with the fewest failures, and of these the lowest p99', () => {
    const [slow, fast, failed] = [percentilesOf([9, 9], 0), percentilesOf([4, 5], 0), percentilesOf([1], 3)];
    expect(bestOf([slow, failed, fast])).toBe(fast);
    expect(percentilesOf([], 2)).toEqual({ p50Ms: Number.NaN, p99Ms: Number.NaN, failed: 2 });
  });
});

describe('the page of results', () => {
  const entry = (bench: string, date: string): Entry => ({
    bench,
    date,
    loadAverage: 1.25,
    rows: rowsOf({ ...figure, name: `${bench} | with a bar` }),
  });
  const lines = (page: string) => page.split('\n').filter((line) => line.startsWith('| '));

  test('keeps rows with date and load average, and a bench that runs again takes the place of its own', () => {
    const first = recorded('', '2 cores', entry('frames', '2026-01-01'));
    const second = recorded(first, '2 cores', entry('courier', '2026-01-02'));
    const third = recorded(second, '2 cores', entry('frames', '2026-01-03'));
    expect(lines(third).map((line) => line.split(' | ')[0])).toEqual([
      '| bench',
      '| ---',
      '| courier',
      '| frames',
    ]);
    expect(third).toContain('| 2026-01-03 | 1.3 |');
    expect(third).not.toContain('2026-01-01');
    expect(recorded(third, '2 cores', entry('frames', '2026-01-03'))).toBe(third);
  });

  test('keeps the figures of different machines apart', () => {
    const first = recorded('', 'a', entry('frames', '2026-01-01'));
    const both = recorded(first, 'b', entry('frames', '2026-01-02'));
    expect(both).toContain('## a');
    expect(both).toContain('## b');
    expect(lines(both).filter((line) => line.startsWith('| frames'))).toHaveLength(2);
  });

  test('has as many cells in each row as in its head, whatever stands in a name', () => {
    const counts = lines(recorded('', 'a', entry('frames', '2026-01-01'))).map(
      (line) => line.split('|').length,
    );
    expect(new Set(counts).size).toBe(1);
  });

  test('is a table on the terminal too', () => {
    expect(tableText(entry('frames', '2026-01-01'))).toContain('1,400 frames/s  2,000  0.70');
  });
});
