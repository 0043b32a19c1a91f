import { expect, test } from 'vitest';
import { limits } from '../../../library/limits.ts';
import { Recording } from '../../../library/recording.ts';

const LOCK = '/vehicles/8B13V/commands/lock-central-lock';

test('the last request of a vehicle is the one that changes something, by path or by body', () => {
  const recording = new Recording();
  recording.sent({ what: 'call', text: `POST ${LOCK}` })('200');
  recording.sent({ what: 'control', text: 'POST /boxes/8B13V/coverage', body: { available: false } })('done');
  recording.sent({ what: 'call', text: 'GET /vehicles/8B13V' })('200');
  recording.sent({ what: 'call', text: 'POST /bulk', body: { items: [{ id: '99XYZ' }] } })('202');
  expect(recording.lastRequests(['8B13V'])).toEqual([
    `last call: POST ${LOCK} → 200`,
    'last action: POST /boxes/8B13V/coverage {"available":false} → done',
  ]);
  expect(recording.lastRequests(['99XYZ'])).toEqual([
    'last call: POST /bulk {"items":[{"id":"99XYZ"}]} → 202',
  ]);
  expect(recording.lastRequests(undefined)).toHaveLength(2);
  expect(recording.lastRequests(['8B1'])).toEqual([]);
});

test('a request without an answer says so, and is not of the next test', () => {
  const recording = new Recording();
  const answered = recording.sent({ what: 'call', text: `POST ${LOCK}` });
  expect(recording.lastRequests(['8B13V'])[0]).toMatch(/lock → no answer yet, after \d+\.\d s$/);
  recording.begin();
  answered('504');
  expect(recording.lastRequests(['8B13V'])).toEqual([]);
  expect(recording.events()).toEqual([]);
});

test('the last payloads are kept, and decoded as frames in their order', () => {
  const recording = new Recording();
  const payloads = limits.tracedPayloads * 3 + 7;
  for (let at = 0; at < payloads; at += 1)
    recording.payload('0123456789abcdef', { direction: 'up', atMs: at, bytes: Uint8Array.of(1, 2) });
  const frames = recording.frames();
  expect(frames).toHaveLength(limits.tracedPayloads);
  expect(frames.at(-1)).toMatchObject({
    at: new Date(payloads - 1).toISOString(),
    what: 'frame',
    text: expect.stringMatching(/^up box 0123456789abcdef: /),
    body: { direction: 'up', hex: '0102' },
  });
  recording.begin();
  expect(recording.frames()).toEqual([]);
});

test('a long body and a long answer are cut to one line', () => {
  const recording = new Recording();
  recording.sent({ what: 'call', text: `POST ${LOCK}`, body: 'b'.repeat(5_000) })(`${'a'.repeat(5_000)}\nx`);
  const [line = ''] = recording.lastRequests(['8B13V']);
  expect(line.length).toBeLessThan(3 * limits.shownCharacters);
  expect(line).not.toContain('\n');
});

test('the last call of a failed test is one that only read, too', () => {
  const recording = new Recording();
  recording.sent({ what: 'call', text: `POST ${LOCK}` })('200');
  recording.sent({ what: 'call', text: 'GET /vehicles/8B13V' })('404 /problems/not-found');
  expect(recording.lastRequests(undefined, { reads: true })).toEqual([
    'last call: GET /vehicles/8B13V → 404 /problems/not-found',
  ]);
});

test('what is abandoned rejects without an unhandled rejection, and what is not with one', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listener);
  try {
    const recording = new Recording();
    const [abandoned, awaited, forgotten] = [1, 2, 3].map(() => Promise.withResolvers<void>());
    void recording.tracked(abandoned?.promise ?? Promise.resolve());
    const waiting = recording.tracked(awaited?.promise ?? Promise.resolve());
    recording.abandonPending();
    void recording.tracked(forgotten?.promise ?? Promise.resolve());
    for (const one of [abandoned, awaited, forgotten]) one?.reject(new Error('It was stopped.'));
    await expect(waiting).rejects.toThrow('It was stopped.');
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toHaveLength(1);
  } finally {
    process.off('unhandledRejection', listener);
    for (const other of others) process.on('unhandledRejection', other);
  }
});
