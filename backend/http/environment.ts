import type { Context } from 'hono';
import type { Caller } from '../access/bearer.ts';
import type { Body } from './body.ts';
import { problemResponse, type Refusal } from './problem.ts';

/** What the middlewares have found out about a request by the time its route runs. */
export interface AppEnvironment {
  readonly Variables: {
    baseUrl: string;
    flowId: string;
    body: Body;
    /** Behind `authorize` only. */
    caller: Caller;
  };
}

export type AppContext = Context<AppEnvironment>;

/** Answers a refusal with the request's flow id. */
export function refuse(
  c: AppContext,
  refusal: Refusal,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return problemResponse(refusal, { baseUrl: c.get('baseUrl'), flowId: c.get('flowId') }, headers);
}
