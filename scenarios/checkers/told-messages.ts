import type { Arrival } from '../ledger/facts.ts';
import { MessageBook } from '../ledger/message-book.ts';
import { readMessage } from '../ledger/read-message.ts';
import type { Evidence, QueuedMessage } from '../run/evidence.ts';

/** The topic of the message that tells each record. */
export const STATE_TOPIC = 'VehicleState_v1';

/** Every message of every queue of a topic (of all topics where none is named), queue by queue, oldest first. */
export async function* allMessages(evidence: Evidence, topic?: string): AsyncGenerator<QueuedMessage> {
  for (const queue of await evidence.queues()) {
    if (topic === undefined || queue.topic === topic) yield* evidence.messages(queue.name);
  }
}

/** The states that came to lie in queues, as the ledger keeps them; `isWhole` is false where not all were held. */
export async function bookOfStates(
  evidence: Evidence,
): Promise<{ readonly book: MessageBook; readonly isWhole: boolean }> {
  const book = new MessageBook();
  for await (const message of allMessages(evidence, STATE_TOPIC)) {
    if (book.isFull) return { book, isWhole: false };
    const arrival = arrivalOf(message);
    if (arrival !== undefined) book.take(arrival);
  }
  return { book, isWhole: true };
}

function arrivalOf({ body, queue, atMs }: QueuedMessage): Arrival | undefined {
  return readMessage(body, { queue, redelivered: false, arrivedMs: atMs });
}
