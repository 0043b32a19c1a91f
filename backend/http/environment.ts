import type { Context } from 'hono';
import type { Caller } from '../access/bearer.ts';
import type { Body } from './body.ts';
import { problemResponse, type Refusal } from './problem.ts';

/** Who sent a request. */
export interface Peer {
  /** The address at the other end of the connection; absent where there is none. */
  readonly address?: string;
}

/** What the middlewares have found out about a request by the time its route runs. */
export interface AppEnvironment {
  /** What whoever serves the application knows of a request beside it. */
  readonly Bindings: Peer;
  readonly Variables: {
    baseUrl: string;
    flowId: string;
    body: Body;
    /** What it is answered with, where that is a problem. */
    refusal: Refusal;
    /** Behind `authorize` only. */
    caller: Caller;
  };
}

export type AppContext = Context<AppEnvironment>;

/** The address that a request came from; empty where nobody knows. */
export function addressOf(c: AppContext): string {
  // Whoever calls the application without bindings leaves them undefined, whatever the type says.
  const peer: Peer | undefined = c.env;
  return peer?.address ?? '';
}

/** Answers a refusal with the request's flow id. */
export function refuse(
  c: AppContext,
  refusal: Refusal,
  headers: Readonly<Record<string, string>> = {},
): Response {
  c.set('refusal', refusal);
  return problemResponse(refusal, { baseUrl: c.get('baseUrl'), flowId: c.get('flowId') }, headers);
}
