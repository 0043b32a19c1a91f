import type { Context } from 'hono';
import type { Refusal } from '../../contract/problems.ts';
import type { Caller } from '../access/bearer.ts';
import type { Body } from '../base/body.ts';
import { problemResponse } from './problem.ts';

/** What a server knows of a request besides its content. */
export interface Peer {
  /** The address at the other end of the connection; absent if unknown. */
  readonly address?: string;
  /** False: the headers on the wire announce no body. Absent: only reading shows whether there is one. */
  readonly hasBody?: boolean;
}

/** What the middlewares provide about a request when its route runs. */
export interface AppEnvironment {
  readonly Bindings: Peer;
  readonly Variables: {
    baseUrl: string;
    flowId: string;
    body: Body;
    /** The headers of every answer to this request, as far as they are known. */
    answerHeaders: Readonly<Record<string, string>>;
    /** The answer that was made with them. */
    headed: Response;
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

/**
 * An answer with its own headers and those of every answer. Routes that are asked often use it: made at once, an answer
 * costs less than when each header is set on it.
 */
export function headedAnswer(
  c: AppContext,
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  // In lower case, like headers that are set on an answer: scripts search the text of an answer for them.
  const named: Record<string, string> = {};
  for (const some of [c.get('answerHeaders'), headers])
    for (const [name, value] of Object.entries(some)) named[name.toLowerCase()] = value;
  const response = new Response(body, { status, headers: named });
  c.set('headed', response);
  return response;
}

/** Sets headers on the answer, unless it was made with them. In place: `c.header` makes a new Response for each. */
export function setHeaders(c: AppContext, headers: Readonly<Record<string, string>>): void {
  if (c.get('headed') === c.res) return;
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
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
