import { decodePayload, payloadOf } from '../../protocol/frame.ts';
import type { Receipt } from '../../protocol/message.ts';
import type { Link } from '../../world/link.ts';

/**
 * A bug that is planted on purpose, so that it can be shown that random days find one: receipts are not checked for
 * gaps, but say that everything up to the highest record that was stored has been stored.
 */
export function withoutGapCheck(link: Link): Link {
  return {
    async open(options, events) {
      const session = await link.open(options, events);
      return {
        ...session,
        present: session.present,
        publish: (publication) => session.publish({ ...publication, payload: gapless(publication.payload) }),
      };
    },
  };
}

function gapless(payload: Uint8Array): Uint8Array {
  const { frames, faults } = decodePayload(payload);
  const isGappy = frames.some(
    ({ frame: { message } }) => message.kind === 'receipt' && message.ranges.length > 0,
  );
  if (faults.length > 0 || !isGappy) return payload;
  return payloadOf(
    frames.map(({ frame }) =>
      frame.message.kind === 'receipt' ? { ...frame, message: filled(frame.message) } : frame,
    ),
  );
}

function filled({ kind, contiguous, ranges }: Receipt): Receipt {
  return { kind, contiguous: ranges.at(-1)?.[1] ?? contiguous, ranges: [] };
}
