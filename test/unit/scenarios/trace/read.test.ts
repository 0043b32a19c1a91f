import { describe, expect, test } from 'vitest';
import { TraceReader } from '../../../../scenarios/trace/read.ts';

const ROWS = [
  '{"kind":"header","format":"boxtwin-trace/1","scenario":"cut","seed":1,"world":"real"}',
  '{"kind":"begin","at_ms":1000,"start":"1970-01-01T00:00:01.000Z"}',
  '{"kind":"end","at_ms":2000,"verdict":"passed","rows":2}',
];

/** What is wrong with a file of these characters; undefined: nothing. */
function faultOf(text: string): string | undefined {
  const reader = new TraceReader();
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  for (const line of lines) {
    const fault = reader.take(line);
    if (fault !== undefined) return `${fault.line}: ${fault.what}`;
  }
  const fault = reader.takeRest(rest);
  if (fault !== undefined) return `${fault.line}: ${fault.what}`;
  const read = reader.finish();
  return 'what' in read ? `${read.line}: ${read.what}` : undefined;
}

describe('a trace', () => {
  const whole = `${ROWS.join('\n')}\n`;

  test('is read with or without its last line break', () => {
    expect(faultOf(whole)).toBeUndefined();
    expect(faultOf(whole.trimEnd())).toBeUndefined();
  });

  test('that was cut within a line, wherever, is told as one that ends there', () => {
    const ends: number[] = [];
    for (let at = 1; at < whole.length - 1; at += 1) {
      const said = faultOf(whole.slice(0, at)) ?? '';
      const line = whole.slice(0, at).split('\n').length;
      const isCut =
        said ===
        `${line}: the file ends in the middle of line ${line}, as that of a run does that was killed`;
      if (isCut) ends.push(line);
      // The first line alone may be of any file.
      else expect(said).toMatch(/^1: this is no JSON$|the last row is no `end`/);
    }
    expect(new Set(ends)).toEqual(new Set([2, 3]));
  });

  test('with something else than JSON in a line of its own was not cut there', () => {
    expect(faultOf(`${ROWS[0]}\nnot this\n`)).toBe('2: this is no JSON');
  });

  test('whose last text is JSON and no row is told as that', () => {
    expect(faultOf(`${ROWS[0]}\n{"kind":"other"}`)).toMatch(/^2: (?!the file ends)/);
  });
});
