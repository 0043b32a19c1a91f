import type { Mint } from '../../world/mint.ts';
import { type TriggeredBy, writeStateReceived } from '../events/message.ts';
import { type FeatureEvent, writeFeatureEvent } from '../events/message-features.ts';
import type { StoredRecord } from '../store/ingest-store.ts';
import type { OutgoingMessage } from '../store/outbox-store.ts';
import type { MessageDraft, PlannedRecord } from './plan.ts';

/** Ids and the time of making: what a plan, being pure, has not. */
export interface Stamp {
  readonly mint: Pick<Mint, 'ulid' | 'uuid'>;
  readonly nowMs: number;
}

/**
 * Gives the drafts their ids and writes the messages; without a stamp no message is made (there is no exchange).
 * A message that a command caused carries that command's flow id, any other one a flow id of its own. What a feature
 * detected follows on the state of the same record, with the same flow id.
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
    // Who reads that something was detected knows the state that goes with it already.
    if (draft.feature !== undefined) messages.push(writeFeature(draft, draft.feature, message.flowId, stamp));
    return { ...record, messageId: message.messageId };
  });
  return { records, messages };
}

function write(draft: MessageDraft, stamp: Stamp): OutgoingMessage {
  const { vehicleId, fleetId, receivedMs, properties, command } = draft;
  return writeStateReceived({
    messageId: stamp.mint.ulid(),
    flowId: command?.flowId ?? stamp.mint.uuid(),
    createdMs: stamp.nowMs,
    vehicleId,
    fleetId,
    receivedMs,
    triggeredBy: triggerOf(draft),
    properties,
  });
}

function triggerOf({ command, tokenId }: MessageDraft): TriggeredBy | undefined {
  if (command !== undefined) return { channel: 'API_COMMAND', correlationId: command.flowId };
  return tokenId === undefined ? undefined : { channel: 'BLUETOOTH', correlationId: tokenId };
}

function writeFeature(
  { vehicleId, fleetId, receivedMs }: MessageDraft,
  feature: FeatureEvent,
  flowId: string,
  { mint, nowMs }: Stamp,
): OutgoingMessage {
  const told = { messageId: mint.ulid(), flowId, createdMs: nowMs, vehicleId, fleetId, receivedMs };
  return writeFeatureEvent(told, feature);
}
