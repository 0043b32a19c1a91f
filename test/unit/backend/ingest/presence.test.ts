import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxReadiness as readinessOf } from '../../../../backend/commands/readiness.ts';
import { type Presence, updatedPresence } from '../../../../backend/ingest/presence.ts';
import type { Birth, GoingDown, Gone, Hello, Ready, RecordMessage } from '../../../../protocol/message.ts';

const T = 1_767_592_800_000;
const MINUTE = 60_000;
const nobody: Presence = { connection: undefined, notReadyUntilMs: undefined };
const birth = (connection: number): Birth => ({ kind: 'birth', connection });
const gone = (connection: number): Gone => ({ kind: 'gone', connection });
const ready: Ready = { kind: 'ready' };
const goingDown = (connection: number): GoingDown => ({
  kind: 'going-down',
  connection,
  reason: 'reset',
  expectedS: 20,
});
const hello = (connection: number): Hello => ({
  kind: 'hello',
  connection,
  firmware: [2, 30],
  hardwareRevision: 1,
  resetReason: 'SOFTWARE',
  lowestHeld: 1,
  nextSequence: 1,
  configurationRevision: 0,
});
const heartbeat: RecordMessage = { kind: 'heartbeat' };
type PresenceMessage = Parameters<typeof updatedPresence>[1];

function presenceAfter(...messages: readonly PresenceMessage[]): Presence {
  let presence = nobody;
  for (const message of messages) presence = updatedPresence(presence, message, T);
  return presence;
}

/** Of a box that was heard just now. */
const readiness = (presence: Presence, nowMs: number) =>
  readinessOf({ ...presence, lastContactMs: nowMs }, nowMs);

describe('presence', () => {
  test('a box without any frame is unknown', () => {
    expect(readiness(nobody, T)).toBe('unknown');
  });

  test('a birth connects it, a hello makes it not ready until its ready', () => {
    expect(readiness(presenceAfter(birth(1)), T)).toBe('connected');
    expect(readiness(presenceAfter(birth(1), hello(1)), T)).toBe('not-ready');
    expect(readiness(presenceAfter(birth(1), hello(1), ready), T)).toBe('connected');
  });

  test('a hello that arrives after the end of its connection does not open it again', () => {
    const presence = updatedPresence(presenceAfter(birth(2), hello(2), ready, gone(2)), hello(2), T + 31);
    expect(presence.connection).toEqual({ counter: 2, open: false });
  });

  test('the will of a connection that was taken over changes nothing', () => {
    const taken = presenceAfter(birth(1), hello(1), ready, birth(2), hello(2), ready);
    expect(updatedPresence(taken, gone(1), T)).toBe(taken);
    expect(readiness(updatedPresence(taken, gone(1), T), T)).toBe('connected');
  });

  test('the end of the current connection disconnects it, whether intended or not', () => {
    expect(readiness(presenceAfter(birth(3), hello(3), ready, gone(3)), T)).toBe('not-connected');
    expect(readiness(presenceAfter(birth(3), hello(3), gone(3)), T)).toBe('not-connected');
    expect(readiness(presenceAfter(gone(3)), T)).toBe('not-connected');
  });

  test('a birth or hello that arrives after the end of its connection does not open it again', () => {
    expect(readiness(presenceAfter(birth(3), gone(3), birth(3)), T)).toBe('not-connected');
    expect(presenceAfter(gone(3), hello(3)).connection).toEqual({ counter: 3, open: false });
  });

  test('a box that goes down on purpose is not ready for three minutes, then not connected', () => {
    const down = presenceAfter(birth(1), hello(1), ready, goingDown(1), gone(1));
    expect(readiness(down, T + 3 * MINUTE - 1)).toBe('not-ready');
    expect(readiness(down, T + 3 * MINUTE)).toBe('not-connected');
  });

  test('a box that sends a hello and no ready counts as not connected after three minutes', () => {
    expect(readiness(presenceAfter(birth(1), hello(1)), T + 3 * MINUTE)).toBe('not-connected');
  });

  test('a box that reconnects after a reset is connected once it is ready', () => {
    expect(readiness(presenceAfter(birth(1), goingDown(1), gone(1), birth(2), hello(2), ready), T)).toBe(
      'connected',
    );
  });

  test('a record replaces a lost ready', () => {
    expect(readiness(presenceAfter(birth(1), hello(1), heartbeat), T)).toBe('connected');
    expect(readiness(presenceAfter(birth(1), hello(1), heartbeat), T + 60 * MINUTE)).toBe('connected');
    expect(readiness(presenceAfter(goingDown(1), gone(1), birth(2), heartbeat), T)).toBe('connected');
    expect(readiness(presenceAfter(birth(1), goingDown(1), gone(1), hello(2), heartbeat), T)).toBe(
      'connected',
    );
  });

  test('a going-down that is delivered again after its box came back changes nothing', () => {
    const back = presenceAfter(birth(1), hello(1), ready, goingDown(1), gone(1), birth(2), hello(2), ready);
    expect(updatedPresence(back, goingDown(1), T)).toBe(back);
    expect(readiness(presenceAfter(birth(2), goingDown(1), hello(2), ready), T)).toBe('connected');
  });

  test('a record does not undo a going-down or reopen an ended connection', () => {
    const down = presenceAfter(birth(1), hello(1), ready, heartbeat, goingDown(1));
    expect(updatedPresence(down, heartbeat, T)).toBe(down);
    expect(readiness(presenceAfter(goingDown(1), heartbeat), T)).toBe('not-ready');
    expect(readiness(presenceAfter(birth(1), hello(1), gone(1), heartbeat), T)).toBe('not-connected');
  });

  test('it stays not ready, whatever is repeated after the going-down of its connection', () => {
    const earlier = fc.constantFrom<PresenceMessage>(birth(1), hello(1), ready, heartbeat);
    fc.assert(
      fc.property(fc.array(earlier), fc.array(fc.constant(heartbeat)), (before, behind) => {
        const down = presenceAfter(...before, goingDown(1), ...behind);
        expect(readiness(down, T)).toBe('not-ready');
        expect(readiness(down, T + 3 * MINUTE)).toBe('not-connected');
      }),
    );
  });

  test('the connection counter never decreases, whatever arrives in whatever order', () => {
    const counter = fc.integer({ min: 1, max: 5 });
    const message: fc.Arbitrary<PresenceMessage> = fc.oneof(
      counter.map(birth),
      counter.map(gone),
      counter.map(hello),
      fc.constant(ready),
      counter.map(goingDown),
      fc.constant(heartbeat),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
        let presence = nobody;
        for (const one of messages) {
          const before = presence.connection?.counter ?? 0;
          presence = updatedPresence(presence, one, T);
          expect(presence.connection?.counter ?? 0).toBeGreaterThanOrEqual(before);
        }
      }),
    );
  });
});
