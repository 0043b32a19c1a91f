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

  test('that was cut anywhere within a line is reported as ending there', () => {
    const ends: number[] = [];
    for (let at = 1; at < whole.length - 1; at += 1) {
      const said = faultOf(whole.slice(0, at)) ?? '';
      const line = whole.slice(0, at).split('\n').length;
      const isCut =
        said ===
        `${line}: the file ends in the middle of line ${line}, as that of a run does that was killed`;
      if (isCut) ends.push(line);
      // The first line alone may be of any file.
      else expect(said).toMatch(/^1: this is not JSON$|the last row is not `end`/);
    }
    expect(new Set(ends)).toEqual(new Set([2, 3]));
  });

  test('with a complete line that is not JSON is not reported as cut', () => {
    expect(faultOf(`${ROWS[0]}\nnot this\n`)).toBe('2: this is not JSON');
  });

  test('whose last line is JSON but not a row is reported as such', () => {
    expect(faultOf(`${ROWS[0]}\n{"kind":"other"}`)).toMatch(/^2: (?!the file ends)/);
  });
});
