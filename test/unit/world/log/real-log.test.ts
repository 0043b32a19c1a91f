import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type LogLevel, logFormat, logText, realLog, setLogFormat } from '../../../../world/log/real-log.ts';

function logged(level: LogLevel): Record<string, unknown>[] {
  const lines: string[] = [];
  const log = realLog(level, { output: { write: (line: string) => lines.push(line) } });
  log.debug({ box: '0f' }, 'debug');
  log.info({ count: 2, ok: true, left: undefined }, 'info');
  log.warn({}, 'warn');
  log.error({}, 'error');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('real log', () => {
  test('writes one JSON object for each line, with its fields, the time and the message', () => {
    const [, info] = logged('debug');
    expect(info).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      count: 2,
      ok: true,
      msg: 'info',
    });
  });

  test('leaves out lines below its level', () => {
    const sentences = (level: LogLevel) => logged(level).map((line) => line['msg']);
    expect(sentences('debug')).toEqual(['debug', 'info', 'warn', 'error']);
    expect(sentences('warn')).toEqual(['warn', 'error']);
    expect(sentences('silent')).toEqual([]);
  });
});

describe('the form of the lines of this process', () => {
  afterEach(() => setLogFormat('auto'));

  test('follows what stderr is', () => {
    expect([logFormat({ isTTY: true }), logFormat({})]).toEqual(['text', 'json']);
  });

  test('is the one that was chosen', () => {
    const lines: string[] = [];
    setLogFormat('text');
    realLog('warn', { output: { write: (line: string) => lines.push(line) } }).warn({ count: 2 }, 'too many');
    expect(lines).toEqual(['warning: too many (count: 2)\n']);
    expect(logFormat()).toBe('text');
  });
});

describe('a log for people', () => {
  const text = (line: object) => logText(`${JSON.stringify(line)}\n`);

  test('is a sentence with its fields', () => {
    expect(
      text({ level: 40, time: '2026-01-31T12:00:00Z', maker: 'northwind', status: 401, msg: 'refused' }),
    ).toBe('warning: refused (maker: northwind, status: 401)\n');
    expect(text({ level: 50, err: { message: 'broken', stack: 'at' }, msg: 'failed' })).toBe(
      'error: failed (err: broken)\n',
    );
  });

  test('has one line for each line, whatever is in it, and does not control the terminal', () => {
    fc.assert(
      fc.property(fc.record({ msg: fc.string(), field: fc.jsonValue() }), (fields) => {
        expect(text({ level: 30, ...fields })).toMatch(/^info: \P{Cc}*\n$/u);
      }),
    );
  });

  test('shows what is no JSON as it is', () => {
    expect(logText('half a {')).toBe('half a {');
  });
});
