import { WriteStream } from 'node:tty';
import { afterEach, expect, test, vi } from 'vitest';
import { progressLine } from '../../../../../cli/commands/scenario/scenario-progress.ts';
import { isScreen } from '../../../../../cli/shared/output.ts';

/** A terminal of this width, of which all that is written to it is kept. */
function terminal(columns: number): { readonly stream: NodeJS.WriteStream; readonly written: string[] } {
  const written: string[] = [];
  const stream = Object.create(WriteStream.prototype, {
    isTTY: { value: true },
    columns: { value: columns },
    write: { value: (text: string) => written.push(text) > 0, writable: true },
    cursorTo: { value: () => true },
    clearLine: { value: () => true },
    moveCursor: { value: () => true },
  }) as NodeJS.WriteStream;
  return { stream, written };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const HOUR_MS = 3_600_000;

test('a terminal shows one changing line: virtual time, its share of the run, and the recent speed', () => {
  vi.useFakeTimers();
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm');
  const { stream, written } = terminal(120);
  expect(isScreen(stream)).toBe(true);
  const line = progressLine(stream, { isQuiet: false });
  line.begin('bulk', 3, 28, 13 * HOUR_MS);
  line.show?.({ virtualMs: HOUR_MS, wallMs: 1_000 });
  vi.advanceTimersByTime(200);
  line.end();
  expect(written.join('')).toContain('3/28 bulk  1h of 13h (7 %), 3600 virtual s per s');
});

test('in a pipe a long run reports its progress after 3 s and then every 10 s, however often it is updated', () => {
  const { stream, written } = terminal(0);
  let wallMs = 0;
  const line = progressLine(stream, { isQuiet: false, nowMs: () => wallMs });
  line.begin('bulk', 3, 28, 10 * HOUR_MS);
  for (; wallMs <= 25_000; wallMs += 200) line.show?.({ virtualMs: wallMs * 1_000, wallMs });
  line.end();
  expect(written).toEqual([
    '3/28 bulk  50m of 10h (8 %), 1000 virtual s per s\n',
    '3/28 bulk  3h37m of 10h (36 %), 1000 virtual s per s\n',
    '3/28 bulk  6h23m of 10h (63 %), 1000 virtual s per s\n',
  ]);
});

test('the speed is the recent one, and a run after its last step says that it waits', () => {
  const { stream, written } = terminal(0);
  let wallMs = 0;
  const line = progressLine(stream, { isQuiet: false, nowMs: () => wallMs });
  line.begin('slow then fast', 1, 1, HOUR_MS);
  for (const [at, virtualMs] of [
    [4_000, 2_000],
    [14_000, HOUR_MS / 2],
    [24_000, HOUR_MS],
  ] as const) {
    wallMs = at;
    line.show?.({ virtualMs, wallMs });
  }
  expect(written).toEqual([
    '1/1 slow then fast  2s of 1h (0 %), 0.5 virtual s per s\n',
    '1/1 slow then fast  30m of 1h (50 %), 180 virtual s per s\n',
    '1/1 slow then fast  1h: its 1h are over, waiting for what is still to come, 180 virtual s per s\n',
  ]);
});

test('the speed begins anew with each run behind one head, as while a scenario is made smaller', () => {
  const { stream, written } = terminal(0);
  let nowMs = 0;
  const line = progressLine(stream, { isQuiet: false, nowMs: () => nowMs });
  line.begin('run 7: making it smaller');
  nowMs = 4_000;
  line.show?.({ virtualMs: HOUR_MS, wallMs: 4_000 });
  nowMs = 14_000;
  line.show?.({ virtualMs: 2_000, wallMs: 1_000 });
  expect(written).toEqual([
    'run 7: making it smaller  1h, 900 virtual s per s\n',
    'run 7: making it smaller  2s, 2.0 virtual s per s\n',
  ]);
});

test('short runs write nothing in a pipe, however many there are', () => {
  const { stream, written } = terminal(0);
  let nowMs = 0;
  const line = progressLine(stream, { isQuiet: false, nowMs: () => nowMs });
  for (let run = 1; run <= 50; run += 1) {
    line.begin('tunnel', run, 50);
    for (const wallMs of [500, 2_000]) {
      line.show?.({ virtualMs: wallMs, wallMs });
      nowMs += 1_000;
    }
    line.end();
  }
  expect(written).toEqual([]);
});

test('nothing is written if it is disabled, even on a terminal', () => {
  const { stream, written } = terminal(80);
  const line = progressLine(stream, { isQuiet: true });
  line.begin('tunnel', 1, 2);
  expect(line.show).toBeUndefined();
  line.end();
  expect(written).toEqual([]);
});
