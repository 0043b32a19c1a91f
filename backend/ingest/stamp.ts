import type { Mint } from '../../world/mint.ts';
import { writeStateReceived } from '../events/message.ts';
import type { OutgoingMessage, StoredRecord } from '../store/store.ts';
import type { MessageDraft, PlannedRecord } from './plan.ts';

/** Ids and the time of making: what a plan, being pure, has not. */
export interface Stamp {
  readonly mint: Pick<Mint, 'ulid' | 'uuid'>;
  readonly nowMs: number;
}

/**
 * Gives the drafts their ids and writes the messages; without a stamp no message is made (there is no exchange).
 * A message that a command caused carries that command's flow id, any other one a flow id of its own.
 */
export function stampRecords(
  planned: readonly PlannedRecord[],
  stamp: Stamp | undefined,
): { readonly records: readonly StoredRecord[]; readonly messages: readonly OutgoingMessage[] } {
  const messages: OutgoingMessage[] = [];
  const records = planned.map(({ record, draft }): StoredRecord => {
    if (stamp === undefined || draft === undefined) return { ...record, messageId: undefined };
    const message = write(draft, stamp);
    messages.push(message);
    return { ...record, messageId: message.messageId };
  });
  return { records, messages };
}

function write(draft: MessageDraft, stamp: Stamp): OutgoingMessage {
  const { command, ...told } = draft;
  return writeStateReceived({
    ...told,
    messageId: stamp.mint.ulid(),
    flowId: command?.flowId ?? stamp.mint.uuid(),
    createdMs: stamp.nowMs,
    triggeredBy:
      command === undefined ? undefined : { channel: 'API_COMMAND', correlationId: command.flowId },
  });
}
