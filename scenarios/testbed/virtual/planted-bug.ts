import { decodePayload, payloadOf } from '../../../protocol/codec/frame.ts';
import type { Receipt } from '../../../protocol/message.ts';
import { parseTopic } from '../../../protocol/topics.ts';
import type { MqttClient } from '../../../world/mqtt/mqtt-client.ts';

/** The journal's range from a box's hello. */
interface JournalClaim {
  readonly epoch: number;
  readonly written: number;
}

/**
 * A deliberate bug, to show that random scenarios find one: the receipt to a box that connected again names
 * every record that the box has written, without a check of what is stored. The box then deletes records that
 * are not stored, and they are lost.
 */
export function withoutStoredCheck(mqtt: MqttClient): MqttClient {
  const claims = new Map<string, JournalClaim>();
  return {
    async open(options, events) {
      const session = await mqtt.open(options, {
        closed: (reason) => events.closed(reason),
        message: (topic, payload, retained, acknowledge) => {
          const place = parseTopic(topic);
          if (place?.channel === 'up') noteClaims(claims, place.boxId, payload);
          events.message(topic, payload, retained, acknowledge);
        },
      });
      return {
        present: session.present,
        subscribe: (filter) => session.subscribe(filter),
        end: () => session.end(),
        drop: () => session.drop(),
        publish: (publication) => {
          const claim = claims.get(parseTopic(publication.topic)?.boxId ?? '');
          if (claim === undefined) return session.publish(publication);
          return session.publish({ ...publication, payload: withClaimedReceipt(publication.payload, claim) });
        },
      };
    },
  };
}

function noteClaims(claims: Map<string, JournalClaim>, boxId: string, payload: Uint8Array): void {
  for (const { frame } of decodePayload(payload).frames) {
    const { message, epoch } = frame;
    if (message.kind === 'hello' && message.connection > 1)
      claims.set(boxId, { epoch, written: message.nextSequence - 1 });
  }
}

function withClaimedReceipt(payload: Uint8Array, { epoch, written }: JournalClaim): Uint8Array {
  const { frames } = decodePayload(payload);

  if (!frames.some(({ frame }) => frame.epoch === epoch && frame.message.kind === 'receipt')) return payload;
  return payloadOf(
    frames.map(({ frame }) =>
      frame.epoch === epoch && frame.message.kind === 'receipt'
        ? { ...frame, message: extendedReceipt(frame.message, written) }
        : frame,
    ),
  );
}

/** Ranges are beyond the contiguous part, and do not touch it. */
function extendedReceipt({ kind, contiguous, ranges }: Receipt, written: number): Receipt {
  if (contiguous >= written) return { kind, contiguous, ranges };
  return { kind, contiguous: written, ranges: ranges.filter(([first]) => first > written + 1) };
}
