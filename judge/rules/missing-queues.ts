import { SUBSCRIPTIONS_PATH } from '../../contract/operation.ts';
import type { AnsweredCall } from '../evidence/evidence.ts';
import type { Fact } from '../evidence/fact.ts';
import { limits } from './limits.ts';

/** A message that came to some queue. */
export type ArrivedMessage = Extract<Fact, { readonly kind: 'message' }>;

/**
 * The messages that another queue received while one of their topic was missing, since it had been deleted at the
 * broker: the service detects that only at its next check, within the time that docs/operating.md promises. The broker
 * accepts nothing while it is blocked, and a new subscription may hide an earlier deletion.
 */
export function messagesPastMissingQueues(
  facts: readonly Fact[],
  calls: readonly AnsweredCall[],
): readonly ArrivedMessage[] {
  const deleted = facts.flatMap((fact) =>
    fact.kind === 'fault' && fact.name === 'exchange queue-deleted'
      ? [{ atMs: fact.atMs, topic: topicIn(fact.detail) }]
      : [],
  );
  if (deleted.length === 0) return [];
  const spans = deleted.flatMap(({ atMs, topic }) => [
    { topic, fromMs: atMs, toMs: atMs + limits.missingQueueMs + limits.missingQueueSlackMs },
    ...facts
      .filter((fact) => fact.kind === 'fault' && fact.name === 'exchange blocked' && fact.phase === 'ends')
      .map((fact) => ({ topic, fromMs: fact.atMs, toMs: fact.atMs + limits.missingQueueSlackMs })),
    ...firstSubscription(calls, topic, atMs).map(({ askedMs, answeredMs }) => ({
      topic,
      fromMs: askedMs,
      toMs: answeredMs + limits.missingQueueSlackMs,
    })),
  ]);
  return facts.filter(
    (fact): fact is ArrivedMessage =>
      fact.kind === 'message' &&
      spans.some(
        ({ topic, fromMs, toMs }) =>
          fact.queue.startsWith(`${topic}-`) && fact.atMs >= fromMs && fact.atMs <= toMs,
      ),
  );
}

/** The first that was made for the topic after that time. */
function firstSubscription(
  calls: readonly AnsweredCall[],
  topic: string,
  afterMs: number,
): readonly AnsweredCall[] {
  const made = calls.filter(
    ({ method, path, status, answeredMs, sent }) =>
      method === 'POST' &&
      path === SUBSCRIPTIONS_PATH &&
      (status === 201 || status >= 500 || status === 0) &&
      answeredMs >= afterMs &&
      topicsIn(sent).includes(topic),
  );
  const [first] = made.toSorted((one, other) => one.askedMs - other.askedMs);
  return first === undefined ? [] : [first];
}

function topicsIn(sent: unknown): readonly unknown[] {
  const { topics } = (sent ?? {}) as { readonly topics?: unknown };
  return Array.isArray(topics) ? topics : [];
}

function topicIn(detail: string): string {
  return String((JSON.parse(detail) as { readonly topic?: unknown }).topic);
}
