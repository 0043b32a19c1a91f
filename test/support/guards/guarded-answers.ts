import { expect } from 'vitest';
import type { ApiStage } from './route-rows.ts';

/** Sends a request as it is. Whatever the answer, it has the headers that are promised. */
export async function answerOf(stage: ApiStage, request: Request): Promise<Response> {
  const answer = await stage.app.fetch(request);
  const { headers, status } = answer;
  const wrong = [
    ...Object.entries(stage.promised).filter(([name, value]) => !value.test(headers.get(name) ?? '')),
    ...[...headers].filter(([name]) => name.startsWith('access-control-')),
  ];
  // An expectation of its own for each header of thousands of answers would take most of the time.
  if (wrong.length > 0)
    expect.fail(`${request.method} ${request.url.slice(0, 200)} → ${status}: wrong ${wrong.join('; ')}`);
  return answer;
}

/** The status, once the body has been given up: a stream is not read to its end. */
export async function statusOf(stage: ApiStage, request: Request): Promise<number> {
  const answer = await answerOf(stage, request);
  await answer.body?.cancel();
  return answer.status;
}

/** A request, and what is expected of its answer. */
export interface Refusal {
  readonly request: Request;
  readonly hint: string;
  readonly status: number;
}

/** All of these requests are refused, and bring nothing about. */
export async function expectRefused(stage: ApiStage, refusals: readonly Refusal[]): Promise<void> {
  await expectNoEffect(stage, async () => {
    const wrong: string[] = [];
    for (const { request, hint, status } of refusals) {
      const got = await statusOf(stage, request);
      if (got !== status) wrong.push(`${hint}: ${got} instead of ${status}`);
    }
    expect(wrong).toEqual([]);
  });
}

/** Whatever these requests are, they bring nothing about. */
export async function expectNoEffect(stage: ApiStage, requests: () => Promise<void>): Promise<void> {
  const before = await stage.effects();
  await requests();
  expect(await stage.effects()).toBe(before);
}
