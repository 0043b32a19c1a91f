import { describe, expect, test } from 'vitest';
import type { TraceEvent } from '../../../../world/trace/trace.ts';
import { virtualTrace } from '../../../../world/trace/virtual-trace.ts';

/** The hash and the lines of a trace with these notes, each after one event of the loop with that label. */
function traced(label: string, ...events: readonly TraceEvent[]) {
  const { trace, observer } = virtualTrace(() => 1_000);
  for (const event of events) {
    observer(1_000, label);
    trace.note(event);
  }
  return { hash: trace.hash(), lines: trace.tail() };
}

const SENT: TraceEvent = { who: 'box/1', what: 'frame-up', bytes: Uint8Array.of(0xbe, 0xef) };

describe('the hash of a virtual trace', () => {
  test('leaves out diagnostic lines, which the trace shows', () => {
    const line: TraceEvent = { who: 'backend#1', what: 'log-warn', detail: 'slow', isDiagnostic: true };
    const { trace, observer } = virtualTrace(() => 1_000);
    observer(1_000, 'alarm');
    trace.note(line);
    trace.note(SENT);
    expect(trace.tail()).toContain('1000 backend#1 log-warn slow');
    expect(trace.hash()).toBe(traced('alarm', SENT).hash);
  });

  test('leaves out the labels of loop events, and counts the events', () => {
    expect(traced('alarm', SENT).hash).toBe(traced('timer', SENT).hash);
    expect(traced('alarm', SENT, SENT).hash).not.toBe(traced('alarm', SENT).hash);
  });

  test('changes with each part of an event that says what happened', () => {
    const hashes = [
      SENT,
      { ...SENT, who: 'box/2' },
      { ...SENT, what: 'frame-down' },
      { ...SENT, detail: 'again' },
      { ...SENT, bytes: Uint8Array.of(0xbe, 0xee) },
    ].map((event) => traced('alarm', event).hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
