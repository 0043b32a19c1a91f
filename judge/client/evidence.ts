import type { Finding } from '../verdict.ts';
import { limits } from './limits.ts';
import type { Call } from './observed.ts';

/** `POST /vehicles/JQ7RP/commands/lock-central-lock: 409 vehicle/conflicting-state` */
export function callText({ method, path, answer, abandonedMs }: Call): string {
  return `${method} ${path}: ${outcomeText(answer, abandonedMs)}`;
}

function outcomeText(answer: Call['answer'], abandonedMs: number | undefined): string {
  if (answer === undefined) return abandonedMs === undefined ? 'no answer yet' : 'given up by the client';
  const { status, problem, retryAfterS } = answer;
  return [
    `${status}`,
    ...(problem === undefined ? [] : [problem]),
    ...(retryAfterS === undefined ? [] : [`Retry-After ${retryAfterS} s`]),
  ]
    .join(' ')
    .slice(0, limits.detailCharacters);
}

/** Calls as evidence, in their order. */
export function evidenceOf(calls: readonly Call[]): readonly Finding[] {
  return calls.map((call) => ({ atMs: call.atMs, text: callText(call) }));
}
