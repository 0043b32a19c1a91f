import { WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { isScreen, progressLine } from '../../../cli/scenario-progress.ts';

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

test('progress is shown on a terminal, and on none that tells no width: there it would be cleared for ever', () => {
  expect([terminal(80), terminal(0)].map(({ stream }) => isScreen(stream))).toEqual([true, false]);
  const { stream, written } = terminal(0);
  const line = progressLine(stream);
  line.begin('tunnel', 1, 2);
  line.show?.({ virtualMs: 60_000, wallMs: 1_000 });
  line.end();
  expect(line.show).toBeUndefined();
  expect(written).toEqual([]);
});
