import { describe, expect, test } from 'vitest';
import { StoreFailed } from '../../../../backend/store/store.ts';
import { ANSWER_TIMEOUT_MS, objectOf } from '../http/stage.ts';
import { commandOf, LOCK, onStage, timed } from './counter.ts';

describe('the desk and its surroundings', () => {
  test('a caller who goes away cancels nothing', async () => {
    const { stage, token } = await onStage();
    stage.box = () => ({ outcome: 'done', afterMs: 500 });
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const asked = Promise.resolve(stage.app.request(LOCK, { method: 'POST', headers, signal: gone.signal }));
    await stage.loop.runUntil(stage.loop.nowMs + 100);
    gone.abort();
    await stage.loop.runWhile(asked);
    expect((await commandOf(stage))?.outcome).toBe('done');
  });

  test('stopping answers who waits and leaves the command open for its reply', async () => {
    const { stage, token } = await onStage();
    const asked = Promise.resolve(
      stage.app.request(LOCK, { method: 'POST', headers: { authorization: `Bearer ${token}` } }),
    );
    await stage.loop.runUntil(stage.loop.nowMs + 100);
    const atMs = stage.loop.nowMs;
    stage.desk.stop();
    expect((await stage.loop.runWhile(asked)).status).toBe(504);
    expect(stage.loop.nowMs).toBe(atMs);
    expect((await commandOf(stage))?.outcome).toBe('open');
    const late = await stage.ask('POST', LOCK, { token });
    expect(late.status).toBe(504);
    expect((await objectOf(late))['detail']).toMatch(/was not sent/);
    expect(stage.sent).toHaveLength(1);
  });

  test('a store that fails for a while costs patience, not the answer', async () => {
    const { stage, token } = await onStage();
    stage.box = () => ({ outcome: 'done' });
    const { find } = stage.store.commands;
    let failures = 3;
    stage.store.commands.find = (requestId) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new StoreFailed('locked')) : find(requestId);
    };
    const { answer, tookMs } = await timed(stage, token);
    expect(answer.status).toBe(200);
    expect(tookMs).toBeGreaterThan(1_000);
    expect(stage.complaints.every((line) => line.level === 'warn')).toBe(true);
  });

  test('a store that has failed at the expiry is a 500', async () => {
    const { stage, token } = await onStage();
    stage.store.commands.find = () => Promise.reject(new StoreFailed('disk I/O error'));
    const { answer, tookMs } = await timed(stage, token);
    expect(answer.status).toBe(500);
    expect(tookMs).toBe(ANSWER_TIMEOUT_MS);
  });

  test('a command that cannot be written down is not sent', async () => {
    const { stage, token } = await onStage();
    stage.store.commands.open = () => Promise.reject(new StoreFailed('disk full'));
    expect((await stage.ask('POST', LOCK, { token })).status).toBe(500);
    expect(stage.sent).toEqual([]);
  });

  test('a done without a system status is an error of the unit', async () => {
    const { stage, token } = await onStage();
    stage.box = () => ({ outcome: 'done' });
    const answer = await stage.ask('POST', '/vehicles/VEH01/box-commands/request-system-status', { token });
    expect(answer.status).toBe(500);
    expect(await objectOf(answer)).toMatchObject({ type: '/problems/telematics-unit/error' });
  });
});
