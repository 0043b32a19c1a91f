import { describe, expect, test } from 'vitest';
import { realLog } from '../../../../world/log/real-log.ts';
import { realTrace } from '../../../../world/trace/real-trace.ts';
import type { TraceEvent } from '../../../../world/trace/trace.ts';

const event = (what: string): TraceEvent => ({ who: 'backend', what });

describe('real trace', () => {
  test('passes each event to all current listeners', () => {
    const trace = realTrace(realLog('silent'));
    const heard: string[] = [];
    trace.note(event('before'));
    const stop = trace.listen(({ what }) => heard.push(`a ${what}`));
    trace.listen(({ what }) => heard.push(`b ${what}`));
    trace.note(event('one'));
    stop();
    stop();
    trace.note(event('two'));
    expect(heard).toEqual(['a one', 'b one', 'b two']);
  });

  test('a listener that throws, or is removed during a call, affects neither the others nor the program', () => {
    const lines: string[] = [];
    const trace = realTrace(realLog('error', { output: { write: (line: string) => lines.push(line) } }));
    const heard: string[] = [];
    trace.listen(() => {
      throw new Error('no screen');
    });
    const stop = trace.listen(({ what }) => {
      heard.push(what);
      stop();
    });
    trace.listen(({ what }) => heard.push(what));
    trace.note(event('one'));
    trace.note(event('two'));
    expect(heard).toEqual(['one', 'one', 'two']);
    expect(lines[0]).toContain('no screen');
  });
});
