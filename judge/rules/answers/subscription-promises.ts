import { SUBSCRIPTIONS_PATH } from '../../../contract/operation.ts';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { Fact } from '../../evidence/fact.ts';
import type { CheckScope } from '../check.ts';
import type { Findings } from '../findings.ts';
import { limits } from '../limits.ts';
import { idIn } from './access-rules.ts';
import { RunTimes, type Span } from './run-times.ts';

/** A subscription that an answer reported. */
interface Subscription {
  readonly id: string;
  readonly as: string;
  readonly discriminator: string;
  readonly queues: readonly { readonly name: string; readonly topic: string }[];
  readonly askedMs: number;
  readonly madeMs: number;
  /** When its end was first requested, and when it was confirmed; infinity: never. */
  readonly endAskedMs: number;
  readonly endedMs: number;
  /** The first request for its end that was answered with 500; absent: none was. */
  readonly failed?: Pick<AnsweredCall, 'askedMs' | 'answeredMs'>;
}

/**
 * Compares the answers about message subscriptions with each other and with what came to the queues (docs/api.md,
 * Message subscriptions): a subscription is listed from its 201 on and not after its 204; meanwhile each message of its
 * topics comes to its queue as to that of the fleet, and after it none; a discriminator is refused only while another
 * subscription may hold it.
 */
export async function judgeSubscriptions(
  scope: CheckScope,
  calls: readonly AnsweredCall[],
  fleetOf: ReadonlyMap<string, string>,
  findings: Findings,
): Promise<void> {
  const { evidence, facts, testbed } = scope;
  const times = new RunTimes(scope);
  const all = calls.flatMap((call) => subscriptionOf(call, calls));
  const asked = calls.filter(
    ({ path }) => path === SUBSCRIPTIONS_PATH || path.startsWith(`${SUBSCRIPTIONS_PATH}/`),
  );
  for (const call of asked) {
    if (call.method === 'GET' && call.path === SUBSCRIPTIONS_PATH && call.status === 200)
      judgeList(call, all, fleetOf, findings);
    if (call.method === 'POST' && call.status === 409) judgeRefusal(call, asked, all, findings);
  }
  const arrived = arrivalsOf(facts);
  const standing = await evidence.queues();
  for (const one of all) {
    for (const { name, topic } of one.queues) {
      judgeEnd(one, name, { asked, arrived, times }, findings);
      const fleetId = fleetOf.get(one.as);
      const beside = standing.find(
        (queue) =>
          queue.topic === topic && queue.fleetId === fleetId && isOfFleet(queue.name, testbed, fleetId),
      );
      if (beside !== undefined) judgeWhole(one, name, beside.name, arrived, findings);
    }
  }
}

function subscriptionOf(call: AnsweredCall, calls: readonly AnsweredCall[]): readonly Subscription[] {
  const { method, path, status, body, as, askedMs, answeredMs } = call;
  const id = idIn(body);
  if (method !== 'POST' || path !== SUBSCRIPTIONS_PATH || status !== 201 || id === undefined) return [];
  const ends = calls.filter(
    (one) =>
      one.method === 'DELETE' &&
      one.path === `${SUBSCRIPTIONS_PATH}/${id}` &&
      (one.status < 400 || one.status >= 500),
  );
  const { queue_discriminator: discriminator = '', queues = [] } = body as {
    readonly queue_discriminator?: string;
    readonly queues?: Subscription['queues'];
  };
  const over = ends.filter((one) => one.status === 204);
  const unreached = ends.find((one) => one.status === 500);
  return [
    {
      id,
      as,
      discriminator,
      queues,
      askedMs,
      madeMs: answeredMs,
      endAskedMs: Math.min(...ends.map((one) => one.askedMs), Number.POSITIVE_INFINITY),
      endedMs: Math.min(...over.map((one) => one.answeredMs), Number.POSITIVE_INFINITY),
      ...(unreached === undefined ? {} : { failed: unreached }),
    },
  ];
}

function judgeList(
  { call, as, askedMs, answeredMs, body }: AnsweredCall,
  all: readonly Subscription[],
  fleetOf: ReadonlyMap<string, string>,
  findings: Findings,
): void {
  const { items } = (body ?? {}) as { readonly items?: unknown };
  const told = new Set((Array.isArray(items) ? items : []).map((item) => idIn(item)));
  for (const { id, as: owner, discriminator, madeMs, endAskedMs, endedMs } of all) {
    if (fleetOf.get(owner) !== fleetOf.get(as)) continue;
    const what = `subscription ${id} (${discriminator}) in the answer to call ${call} as ${as}`;
    if (madeMs < askedMs && endAskedMs > answeredMs && !told.has(id))
      findings.add('a subscription that is not listed', what, { atMs: answeredMs });
    if (endedMs < askedMs && told.has(id))
      findings.add('a subscription that is listed after its end', what, { atMs: answeredMs });
  }
}

/** A 409 needs a possible holder of the discriminator: a subscription, or a request with an unknown outcome. */
function judgeRefusal(
  { call, sent, askedMs, answeredMs, as }: AnsweredCall,
  asked: readonly AnsweredCall[],
  all: readonly Subscription[],
  findings: Findings,
): void {
  const discriminator = discriminatorIn(sent);
  const isHeld = all.some(
    (one) => one.discriminator === discriminator && one.askedMs <= answeredMs && one.endedMs >= askedMs,
  );
  const mayBeHeld = asked.some(
    (one) =>
      one.method === 'POST' &&
      one.call !== call &&
      (one.status === 0 || one.status >= 500) &&
      discriminatorIn(one.sent) === discriminator &&
      one.askedMs <= answeredMs,
  );
  if (isHeld || mayBeHeld) return;
  const text = `call ${call} as ${as}: nobody holds the discriminator ${String(discriminator)}`;
  findings.add('a subscription that is refused', text, { atMs: answeredMs });
}

function discriminatorIn(sent: unknown): unknown {
  return ((sent ?? {}) as { readonly queue_discriminator?: unknown }).queue_discriminator;
}

interface Arrival {
  readonly atMs: number;
  readonly messageId: string;
}

function arrivalsOf(facts: readonly Fact[]): ReadonlyMap<string, readonly Arrival[]> {
  const arrived = new Map<string, Arrival[]>();
  for (const fact of facts) {
    if (fact.kind !== 'message') continue;
    const own = arrived.get(fact.queue) ?? [];
    arrived.set(fact.queue, own);
    own.push({ atMs: fact.atMs, messageId: fact.messageId });
  }
  return arrived;
}

/**
 * No message comes to a queue after its end until it is requested again; nor after an end that was answered with 500
 * because the AMQP broker could not be reached, once the service has had time to retry.
 */
function judgeEnd(
  { id, endedMs, failed }: Subscription,
  queue: string,
  {
    asked,
    arrived,
    times,
  }: {
    readonly asked: readonly AnsweredCall[];
    readonly arrived: ReadonlyMap<string, readonly Arrival[]>;
    readonly times: RunTimes;
  },
  findings: Findings,
): void {
  const unreachedMs =
    failed !== undefined && isUnreached(failed, times) ? failed.answeredMs : Number.POSITIVE_INFINITY;
  const overMs = Math.min(endedMs, unreachedMs);
  const again = asked.filter(({ method, answeredMs }) => method === 'POST' && answeredMs >= overMs);
  const againMs = Math.min(...again.map(({ askedMs }) => askedMs), Number.POSITIVE_INFINITY);
  const isLate = (atMs: number) =>
    atMs > endedMs || (atMs > unreachedMs + limits.sweptMs && isSettled(times, atMs));
  const late = (arrived.get(queue) ?? []).find(({ atMs }) => atMs < againMs && isLate(atMs));
  if (late === undefined) return;
  const after = late.atMs > endedMs ? 'its 204' : 'its end';
  const text = `message ${late.messageId} came to ${queue} of subscription ${id} after ${after}`;
  findings.add('a queue that outlives its subscription', text, { atMs: late.atMs });
}

/** Whether only the AMQP broker can have caused a request to fail. */
function isUnreached(
  { askedMs, answeredMs }: Pick<AnsweredCall, 'askedMs' | 'answeredMs'>,
  times: RunTimes,
): boolean {
  const span: Span = { fromMs: askedMs - limits.calmMs, toMs: answeredMs };
  return (
    times.isBroken('exchange down', { fromMs: askedMs, toMs: askedMs }) &&
    !['the service', 'backend', 'store'].some((name) => times.isBroken(name, span))
  );
}

/** Whether the service has had time to try again. */
function isSettled(times: RunTimes, atMs: number): boolean {
  const span: Span = { fromMs: atMs - limits.sweptMs, toMs: atMs };
  return !['the service', 'backend', 'store', 'exchange'].some((name) => times.isBroken(name, span));
}

/** A fleet's queue from the start of the run is named after the fleet. */
function isOfFleet(queue: string, testbed: CheckScope['testbed'], fleetId: string | undefined): boolean {
  const names = ['own', 'partner', 'stranger'].filter((fleet) => testbed.fleetId(fleet) === fleetId);
  return [...names, fleetId ?? ''].some((name) => queue.endsWith(`-${name}`));
}

/**
 * What comes to the fleet's own queue of a topic comes to that of the subscription as well. Two queues have two
 * consumers: what one has just read, the other may lose with its queue.
 */
function judgeWhole(
  { id, madeMs, endAskedMs }: Subscription,
  queue: string,
  beside: string,
  arrived: ReadonlyMap<string, readonly Arrival[]>,
  findings: Findings,
): void {
  const own = new Set((arrived.get(queue) ?? []).map(({ messageId }) => messageId));
  const missing = (arrived.get(beside) ?? []).find(
    ({ atMs, messageId }) =>
      atMs > madeMs + limits.subscriptionMs &&
      atMs < endAskedMs - limits.subscriptionEndMs &&
      !own.has(messageId),
  );
  if (missing === undefined) return;
  const text = `message ${missing.messageId} came to ${beside}, and not to ${queue} of subscription ${id}`;
  findings.add('a message that a subscription did not get', text, { atMs: missing.atMs });
}
