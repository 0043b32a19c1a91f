import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { ArrivedMessage } from './facts.ts';

const time = z.union([z.string(), z.number()]);
const id = z.string().min(1);

/**
 * A message as `boxtwin tail` writes it, one JSON object per line. Only the body is required; a bare body is
 * accepted too.
 */
const line = z.looseObject({
  queue: z.string().optional(),
  redelivered: z.boolean().optional(),
  arrived_at: time.optional(),
  properties: z.looseObject({ message_id: id.optional(), type: z.string().optional() }).optional(),
  body: z.unknown(),
});

const body = z.looseObject({
  metadata: z.looseObject({ message_id: id, message_type: z.string() }),
  data: z.looseObject({ vehicle_id: id, received_at: time.optional() }),
});

/** Reads one line of NDJSON as an arrival; undefined when it is not a message of the service. */
export function readMessageLine(text: string): ArrivedMessage | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const envelope = line.safeParse(json);
  if (!envelope.success) return undefined;
  const { queue = '', redelivered = false, arrived_at } = envelope.data;
  return readMessage(envelope.data.body ?? json, { queue, redelivered, arrivedMs: toMs(arrived_at) });
}

/** Reads a message's body and delivery as an arrival; undefined when it is not a message of the service. */
export function readMessage(
  json: unknown,
  arrived: Pick<ArrivedMessage, 'queue' | 'redelivered' | 'arrivedMs'>,
): ArrivedMessage | undefined {
  const told = body.safeParse(json);
  if (!told.success) return undefined;
  const { metadata, data } = told.data;
  const { received_at, ...rest } = data;
  return {
    ...arrived,
    messageId: metadata.message_id,
    name: metadata.message_type.slice(metadata.message_type.lastIndexOf('.') + 1),
    vehicleId: data.vehicle_id,
    receivedMs: toMs(received_at),
    dataHash: crc32(JSON.stringify([received_at, rest])),
  };
}

function toMs(value: string | number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = typeof value === 'number' ? value : Date.parse(value);
  return Number.isFinite(ms) ? ms : undefined;
}
