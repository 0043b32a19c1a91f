import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FLOW_ID_HEADER } from '../../../backend/http/flow-id.ts';
import type { Stream } from '../../../world/random/random.ts';

/** One command, from the request to its answer. Times in milliseconds since 1970. */
export interface Call {
  readonly flowId: string;
  readonly vehicleId: string;
  readonly command: string;
  readonly sentMs: number;
  readonly endedMs: number;
  /**
   * `done`: 2xx. `problem`: the service has refused it. `without-answer`: the balancer answered in place of the service, or
   * nobody did. `strange`: anything else.
   */
  readonly outcome: 'done' | 'problem' | 'without-answer' | 'strange';
  /** For people and counts: `200`, `504 /problems/vehicle/no-connection`, `502 by the balancer`. */
  readonly what: string;
  /** What the problem says of it, or what else was answered; empty where it is done. */
  readonly detail: string;
}

export interface CallLoadPlan {
  readonly api: { readonly url: string; readonly clientId: string; readonly clientSecret: string };
  readonly vehicleIds: readonly string[];
  readonly commands: readonly string[];
  readonly perSecond: number;
  readonly random: Stream;
}

/** Commands at a steady pace, whatever becomes of those before. */
export interface CallLoad {
  /** Those that have ended, in the order of their ends. */
  readonly calls: readonly Call[];
  /** Whether each vehicle has carried out a command that was sent after this moment. */
  allAnswered(sinceMs: number): boolean;
  /** The vehicles that have not. */
  silent(sinceMs: number): readonly string[];
  /** Sends no more; resolves once all have ended. */
  stop(): Promise<void>;
}

const limits = {
  /** The balancer gives a request up after 60 s. */
  answerMs: 90_000,
  /** A token is renewed after this part of its life, and a sign-in that failed is tried again. */
  tokenFraction: 0.5,
  signInAgainMs: 250,
} as const;

/** Begins with the vehicles in turn. The first call waits for the sign-in. */
export function startCallLoad(plan: CallLoadPlan): CallLoad {
  const { api, vehicleIds, commands, perSecond, random } = plan;
  const calls: Call[] = [];
  const underWay = new Set<Promise<void>>();
  const lastDone = new Map<string, number>();
  const signIn = signedIn(api);
  let isOver = false;

  async function call(vehicleId: string, command: string): Promise<void> {
    const token = await signIn();
    const flowId = randomUUID();
    const sentMs = Date.now();
    const headers = { authorization: `Bearer ${token}`, [FLOW_ID_HEADER]: flowId };
    const signal = AbortSignal.timeout(limits.answerMs);
    const url = `${api.url}/vehicles/${vehicleId}/commands/${command}`;
    const answer = await fetch(url, { method: 'POST', headers, signal })
      .then((response) => judged(response, flowId))
      .catch(
        (error: unknown) =>
          ({ outcome: 'without-answer', what: 'no answer', detail: wordsOf(error) }) as const,
      );
    calls.push({ flowId, vehicleId, command, sentMs, endedMs: Date.now(), ...answer });
    if (answer.outcome === 'done') lastDone.set(vehicleId, Math.max(sentMs, lastDone.get(vehicleId) ?? 0));
  }

  async function run(): Promise<void> {
    await signIn();
    const beganMs = Date.now();
    for (let sent = 0; !isOver; sent += 1) {
      const vehicleId = vehicleIds[sent % vehicleIds.length] ?? '';
      const calling = call(vehicleId, random.pick(commands)).finally(() => underWay.delete(calling));
      underWay.add(calling);
      await sleep(Math.max(0, beganMs + ((sent + 1) * 1_000) / perSecond - Date.now()));
    }
  }

  const running = run();
  const silent = (sinceMs: number) => vehicleIds.filter((id) => (lastDone.get(id) ?? 0) < sinceMs);
  return {
    calls,
    silent,
    allAnswered: (sinceMs) => silent(sinceMs).length === 0,
    async stop() {
      isOver = true;
      await running;
      await Promise.all(underWay);
    },
  };
}

/** How many calls ended in which way, the most frequent first. */
export function countCalls(calls: readonly Call[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { what } of calls) counts.set(what, (counts.get(what) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
}

async function judged(
  response: Response,
  flowId: string,
): Promise<Pick<Call, 'outcome' | 'what' | 'detail'>> {
  const { status, headers } = response;
  const text = await response.text();
  const isOurs = headers.get(FLOW_ID_HEADER) === flowId;
  if (isOurs && status >= 200 && status < 300) return { outcome: 'done', what: String(status), detail: '' };
  if (isOurs && headers.get('content-type')?.startsWith('application/problem+json') === true) {
    const { type, detail = '' } = JSON.parse(text) as { readonly type: string; readonly detail?: string };
    return { outcome: 'problem', what: `${status} ${type}`, detail };
  }
  if (!isOurs && [502, 503, 504].includes(status))
    return { outcome: 'without-answer', what: `${status} by the balancer`, detail: text };
  return { outcome: 'strange', what: `${status} of another kind`, detail: text };
}

/** A token, renewed long before it ends; a sign-in that fails is tried until it works. */
function signedIn({ url, clientId, clientSecret }: CallLoadPlan['api']): () => Promise<string> {
  let token: Promise<string> | undefined;
  let renewedAtMs = 0;
  const ask = async (): Promise<string> => {
    for (;;) {
      const answer = await fetch(`${url}/auth/oauth/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      }).catch(() => undefined);
      if (answer?.ok === true) {
        const told = (await answer.json()) as { readonly access_token: string; readonly expires_in: number };
        renewedAtMs = Date.now() + told.expires_in * 1_000 * limits.tokenFraction;
        return told.access_token;
      }
      await sleep(limits.signInAgainMs);
    }
  };
  return () => {
    if (token === undefined || Date.now() > renewedAtMs) {
      renewedAtMs = Number.POSITIVE_INFINITY;
      token = ask();
    }
    return token;
  };
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${wordsOf(error.cause)}`;
}
