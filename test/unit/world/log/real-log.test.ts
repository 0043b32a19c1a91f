import { describe, expect, test } from 'vitest';
import { type LogLevel, realLog } from '../../../../world/log/real-log.ts';

function logged(level: LogLevel): Record<string, unknown>[] {
  const lines: string[] = [];
  const log = realLog(level, { write: (line: string) => lines.push(line) });
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
