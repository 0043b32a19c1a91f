import { MESSAGES } from '../../contract/messages.ts';
import type { Evidence, QueuedMessage } from '../evidence/evidence.ts';
import { limits } from './limits.ts';

/** The topic of the message that is published for each record. */
export const STATE_TOPIC = MESSAGES.VehicleStateReceived.topic;

/** Every message of every queue of a topic (without one: of all topics), queue by queue, oldest first. */
export async function* allMessages(
  evidence: Evidence,
  topic?: string,
): AsyncGenerator<readonly QueuedMessage[]> {
  for (const queue of await evidence.queues()) {
    if (topic === undefined || queue.topic === topic) yield* evidence.messages(queue.name);
  }
}

/** The message ids of the vehicle states in queues; `isWhole` is false when not all could be held. */
export async function stateMessageIds(
  evidence: Evidence,
): Promise<{ readonly ids: ReadonlySet<string>; readonly isWhole: boolean }> {
  const ids = new Set<string>();
  for await (const page of allMessages(evidence, STATE_TOPIC)) {
    for (const { messageId } of page) {
      if (ids.size >= limits.messages) return { ids, isWhole: false };
      ids.add(messageId);
    }
  }
  return { ids, isWhole: true };
}
