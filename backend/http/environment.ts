import type { Context } from 'hono';
import type { Refusal } from '../../contract/problems.ts';
import type { Caller } from '../access/bearer.ts';
import type { Body } from '../base/body.ts';
import { problemResponse } from './problem.ts';

/** What a server knows of a request besides its content. */
export interface Peer {
  /** The address at the other end of the connection; absent if unknown. */
  readonly address?: string;
  /** False: the request has no body, by its headers on the wire. Absent: whoever reads it finds out. */
  readonly hasBody?: boolean;
}

/** What the middlewares provide about a request when its route runs. */
export interface AppEnvironment {
  readonly Bindings: Peer;
  readonly Variables: {
    baseUrl: string;
    flowId: string;
    body: Body;
    /** The refusal, if it is answered with a problem. */
    refusal: Refusal;
    /** Set behind `authorize` only. */
    caller: Caller;
  };
}

export type AppContext = Context<AppEnvironment>;

/** The address that a request came from; empty if unknown. */
export function addressOf(c: AppContext): string {
  return peerOf(c).address ?? '';
}

/** Whether it is certain that the request has no body. */
export function isBodiless(c: AppContext): boolean {
  return peerOf(c).hasBody === false;
}

function peerOf(c: AppContext): Peer {
  // Without bindings this is undefined at run time, despite its type.
  const peer: Peer | undefined = c.env;
  return peer ?? {};
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
