import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { operatorLimits } from '../../../../backend/base/limits.ts';
import { makeOperator, type RequestFailure } from '../../../../backend/monitoring/operator.ts';
import { type HttpRequest, type HttpResponse, HttpUnreachable } from '../../../../world/http/http.ts';
import type { LogFields } from '../../../../world/log/log.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const FAILURE: RequestFailure = {
  flowId: '6a0f5a8e-0000-4000-8000-000000000001',
  method: 'POST',
  path: '/vehicles/VEH01/commands/draw-attention',
  problem: 'telematics-unit-error',
  error: 'relay stuck',
  stack: undefined,
};
const FINE: HttpResponse = { status: 204, headers: {}, body: '' };

/** An operator with an alert address that answers as `answer` says. */
function stage(answer: (request: HttpRequest) => Promise<HttpResponse>, alertUrl?: string) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('operator'));
  const lines: { readonly level: string; readonly fields: LogFields; readonly message: string }[] = [];
  const note = (level: string) => (fields: LogFields, message: string) =>
    void lines.push({ level, fields, message });
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const posted: HttpRequest[] = [];
  const http = {
    call: (request: HttpRequest) => {
      posted.push(request);
      return answer(request);
    },
  };
  const counters = makeCounters();
  const operator = makeOperator({ world: { time, http, log }, counters, alertUrl });
  const pass = (durationMs: number) => loop.runUntil(loop.nowMs + durationMs);
  return { loop, time, operator, lines, posted, counters, pass };
}

describe('a 500', () => {
  test('is logged as one error with its flow id, and counted by its problem', () => {
    const { operator, lines, counters, posted } = stage(() => Promise.resolve(FINE));
    operator.failed(FAILURE);
    operator.failed({ ...FAILURE, problem: 'internal-server-error' });
    expect(lines.map(({ level, fields }) => [level, fields['flowId'], fields['problem']])).toEqual([
      ['error', FAILURE.flowId, '/problems/telematics-unit/error'],
      ['error', FAILURE.flowId, '/problems/internal-server-error'],
    ]);
    expect(counters.read()).toEqual({
      'failures.internal-server-error': 1,
      'failures.telematics-unit-error': 1,
    });
    expect(posted).toEqual([]);
  });

  test('is posted to the alert address with flow id, method, path, problem and time, and no more', async () => {
    const { operator, posted, counters, pass, loop } = stage(
      () => Promise.resolve(FINE),
      'http://alerts.test/x',
    );
    const atMs = loop.nowMs;
    operator.failed(FAILURE);
    await pass(10);
    expect(posted).toMatchObject([{ method: 'POST', url: 'http://alerts.test/x' }]);
    expect(JSON.parse(posted[0]?.body ?? '')).toEqual({
      flow_id: FAILURE.flowId,
      method: 'POST',
      path: FAILURE.path,
      problem: '/problems/telematics-unit/error',
      time: `${new Date(atMs).toISOString().slice(0, 19)}Z`,
    });
    expect(counters.read()['alerts.sent']).toBe(1);
  });
});

describe('an alert address', () => {
  test.each([
    ['is not there', () => Promise.reject(new HttpUnreachable('connect ECONNREFUSED'))],
    ['answers with an error', () => Promise.resolve({ ...FINE, status: 503 })],
    ['leads elsewhere', () => Promise.resolve({ ...FINE, status: 302 })],
  ])('that %s is logged once in ten minutes, and every failure still has its line', async (_name, answer) => {
    const { operator, lines, counters, pass } = stage(answer, 'http://alerts.test');
    for (let count = 0; count < 5; count += 1) {
      operator.failed(FAILURE);
      await pass(60_000);
    }
    expect(lines.filter(({ level }) => level === 'error').length).toBe(5);
    expect(lines.filter(({ level }) => level === 'warn').length).toBe(1);
    await pass(operatorLimits.complaintEveryMs);
    operator.failed(FAILURE);
    await pass(10);
    expect(lines.filter(({ level }) => level === 'warn').length).toBe(2);
    expect(counters.read()['alerts.failed']).toBe(6);
  });

  test('that hangs gets one alert at a time; alerts over the queue limit are dropped and counted', async () => {
    let release = (): void => undefined;
    const { operator, posted, counters, pass } = stage(
      () =>
        new Promise((resolve) => {
          release = () => resolve(FINE);
        }),
      'http://alerts.test',
    );
    const extra = 7;
    for (let count = 0; count < 1 + operatorLimits.waitingAlerts + extra; count += 1)
      operator.failed(FAILURE);
    await pass(10);
    expect(posted.length).toBe(1);
    expect(posted[0]?.timeoutMs).toBe(operatorLimits.alertTimeoutMs);
    expect(counters.read()['alerts.dropped']).toBe(extra);
    for (let count = 0; count <= operatorLimits.waitingAlerts; count += 1) {
      release();
      await pass(1);
    }
    expect(posted.length).toBe(1 + operatorLimits.waitingAlerts);
  });

  test('gets nothing more once the service has stopped', async () => {
    const { operator, posted, pass } = stage(() => Promise.resolve(FINE), 'http://alerts.test');
    operator.stop();
    operator.failed(FAILURE);
    await pass(10);
    expect(posted).toEqual([]);
  });
});
