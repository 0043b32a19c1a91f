import { decodePayload, payloadOf } from '../../protocol/frame.ts';
import type { Receipt } from '../../protocol/message.ts';
import { parseTopic } from '../../protocol/topics.ts';
import type { Link } from '../../world/link.ts';

/** What a box said of its journal when it greeted. */
interface Claim {
  readonly epoch: number;
  readonly written: number;
}

/**
 * A bug that is planted on purpose, so that it can be shown that random days find one: a receipt to a box that has
 * connected again does not check what is stored, but takes the box at its word for all that it has ever written. What
 * it still holds is forgotten, and lost.
 */
export function withoutStoredCheck(link: Link): Link {
  const claims = new Map<string, Claim>();
  return {
    async open(options, events) {
      const session = await link.open(options, {
        closed: (reason) => events.closed(reason),
        message: (topic, payload, retained, acknowledge) => {
          const place = parseTopic(topic);
          if (place?.channel === 'up') learn(claims, place.boxId, payload);
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
          return session.publish({ ...publication, payload: believing(publication.payload, claim) });
        },
      };
    },
  };
}

function learn(claims: Map<string, Claim>, boxId: string, payload: Uint8Array): void {
  for (const { frame } of decodePayload(payload).frames) {
    const { message, epoch } = frame;
    if (message.kind === 'hello' && message.connection > 1)
      claims.set(boxId, { epoch, written: message.nextSequence - 1 });
  }
}

function believing(payload: Uint8Array, { epoch, written }: Claim): Uint8Array {
  const { frames } = decodePayload(payload);

  if (!frames.some(({ frame }) => frame.epoch === epoch && frame.message.kind === 'receipt')) return payload;
  return payloadOf(
    frames.map(({ frame }) =>
      frame.epoch === epoch && frame.message.kind === 'receipt'
        ? { ...frame, message: raised(frame.message, written) }
        : frame,
    ),
  );
}

/** Ranges lie beyond what is contiguous, and do not touch it. */
function raised({ kind, contiguous, ranges }: Receipt, written: number): Receipt {
  if (contiguous >= written) return { kind, contiguous, ranges };
  return { kind, contiguous: written, ranges: ranges.filter(([first]) => first > written + 1) };
}
