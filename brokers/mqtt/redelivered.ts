import type { Readable } from 'node:stream';
import type { Aedes } from 'aedes';

/** What is used of aedes' persistence; aedes has the property, its types do not. */
interface Persistence {
  outgoingStream(client: { readonly id: string }): Readable;
}
interface Kept {
  readonly cmd?: string;
  /** Given when it is sent for the first time. */
  readonly messageId?: number;
  dup?: boolean;
}

/**
 * What a session has been sent before, and has not acknowledged, carries DUP when it is sent again at the next connection
 * (MQTT 3.1.1 section 3.3.1.1); what has only waited does not.
 */
export function markRedelivered(broker: Aedes): void {
  const persistence: unknown = Reflect.get(broker, 'persistence');
  if (!isPersistence(persistence)) throw new Error('This version of aedes keeps its queues elsewhere.');
  const stream = persistence.outgoingStream.bind(persistence);
  persistence.outgoingStream = (client) =>
    stream(client).map((kept: Kept) => {
      if (kept.cmd !== 'pubrel' && kept.messageId !== undefined) kept.dup = true;
      return kept;
    });
}

function isPersistence(value: unknown): value is Persistence {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, 'outgoingStream') === 'function'
  );
}
