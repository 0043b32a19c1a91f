import { partitionOf } from '../../protocol/partitions.ts';
import type { IdGenerator } from '../../world/ids/ids.ts';
import { type TriggeredBy, writeStateReceived } from '../events/message.ts';
import { type FeatureEvent, writeFeatureEvent } from '../events/message-features.ts';
import type { StoredRecord } from '../store/port/ingest-store.ts';
import type { OutgoingMessage } from '../store/port/outbox-store.ts';
import type { MessageDraft, RecordWithDraft } from './batch-result.ts';

/** The source of ids and time, which the pure reduction lacks. */
export interface MessageIdSource {
  readonly ids: Pick<IdGenerator, 'ulid' | 'uuid'>;
  readonly nowMs: number;
}

/**
 * Gives the drafts their ids and writes the messages; without an id source no message is written (there is no
 * message broker). A message that a command caused has that command's flow id, any other one a new flow id.
 * What a feature detected follows the state of the same record, with the same flow id.
 */
export function writeRecordMessages(
  recordsWithDrafts: readonly RecordWithDraft[],
  idSource: MessageIdSource | undefined,
): { readonly records: readonly StoredRecord[]; readonly messages: readonly OutgoingMessage[] } {
  const messages: OutgoingMessage[] = [];
  const records = recordsWithDrafts.map(({ record, draft }): StoredRecord => {
    if (idSource === undefined || draft === undefined) return { ...record, messageId: undefined };
    const partition = partitionOf(record.boxId);
    const message = write(draft, partition, idSource);
    messages.push(message);
    // A reader of a detection has already received its vehicle state.
    if (draft.feature !== undefined) messages.push(writeFeature(draft, draft.feature, message, idSource));
    return { ...record, messageId: message.messageId };
  });
  return { records, messages };
}

function write(draft: MessageDraft, partition: number, idSource: MessageIdSource): OutgoingMessage {
  const { vehicleId, fleetId, receivedMs, properties, command } = draft;
  return writeStateReceived({
    messageId: idSource.ids.ulid(),
    flowId: command?.flowId ?? idSource.ids.uuid(),
    createdMs: idSource.nowMs,
    vehicleId,
    fleetId,
    partition,
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
  { flowId, partition }: Pick<OutgoingMessage, 'flowId' | 'partition'>,
  { ids, nowMs }: MessageIdSource,
): OutgoingMessage {
  const facts = {
    messageId: ids.ulid(),
    flowId,
    createdMs: nowMs,
    vehicleId,
    fleetId,
    partition,
    receivedMs,
  };
  return writeFeatureEvent(facts, feature);
}
