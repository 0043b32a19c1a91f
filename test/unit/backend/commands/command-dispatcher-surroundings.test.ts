import { describe, expect, test } from 'vitest';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import {
  firstCommandOf,
  LOCK_PATH,
  openServiceWithVehicle,
  timedCommand,
} from '../../../support/http/service-with-vehicle.ts';
import { ANSWER_TIMEOUT_MS, jsonObjectOf } from '../../../support/http/test-service.ts';

describe('the command dispatcher and its environment', () => {
  test('a caller that disconnects cancels nothing', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = () => ({ outcome: 'done', afterMs: 500 });
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const asked = Promise.resolve(
      stage.app.request(LOCK_PATH, { method: 'POST', headers, signal: gone.signal }),
    );
    await stage.loop.runUntil(stage.loop.nowMs + 100);
    gone.abort();
    await stage.loop.runWhile(asked);
    expect((await firstCommandOf(stage))?.outcome).toBe('done');
  });

  test('stopping answers who waits and leaves the command open for its reply', async () => {
    const { stage, token } = await openServiceWithVehicle();
    const asked = Promise.resolve(
      stage.app.request(LOCK_PATH, { method: 'POST', headers: { authorization: `Bearer ${token}` } }),
    );
    await stage.loop.runUntil(stage.loop.nowMs + 100);
    const atMs = stage.loop.nowMs;
    stage.dispatcher.stop();
    expect((await stage.loop.runWhile(asked)).status).toBe(504);
    expect(stage.loop.nowMs).toBe(atMs);
    expect((await firstCommandOf(stage))?.outcome).toBe('open');
    const late = await stage.ask('POST', LOCK_PATH, { token });
    expect(late.status).toBe(504);
    expect((await jsonObjectOf(late))['detail']).toMatch(/was not sent/);
    expect(stage.sent).toHaveLength(1);
  });

  test('a store that fails for a while costs patience, not the answer', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = () => ({ outcome: 'done' });
    const { find } = stage.store.commands;
    let failures = 3;
    stage.store.commands.find = (requestId) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new StoreFailed('locked')) : find(requestId);
    };
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(200);
    expect(tookMs).toBeGreaterThan(1_000);
    expect(stage.complaints.every((line) => line.level === 'warn')).toBe(true);
  });

  test('a store that has failed at the expiry is a 500', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.store.commands.find = () => Promise.reject(new StoreFailed('disk I/O error'));
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(500);
    expect(tookMs).toBe(ANSWER_TIMEOUT_MS);
  });

  test('a command that is no longer in the store is one of which nobody knows whether it was carried out', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.store.commands.find = () => Promise.resolve(undefined);
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(504);
    expect(tookMs).toBe(ANSWER_TIMEOUT_MS);
    expect((await jsonObjectOf(answer))['detail']).toMatch(/may have been carried out/);
    expect(stage.complaints).toEqual([]);
  });

  test('a command that cannot be written down is not sent', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.store.commands.open = () => Promise.reject(new StoreFailed('disk full'));
    expect((await stage.ask('POST', LOCK_PATH, { token })).status).toBe(500);
    expect(stage.sent).toEqual([]);
  });

  test('a done without a system status is an error of the unit', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = () => ({ outcome: 'done' });
    const answer = await stage.ask('POST', '/vehicles/VEH01/box-commands/request-system-status', { token });
    expect(answer.status).toBe(500);
    expect(await jsonObjectOf(answer)).toMatchObject({ type: '/problems/telematics-unit/error' });
  });
});
