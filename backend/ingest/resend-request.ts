import { partitionOf } from '../../protocol/partitions.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import type { IngestStore } from '../store/port/ingest-store.ts';
import type { DownlinkFrame } from './batch-result.ts';

export interface ResendRequestParts {
  readonly world: Pick<World, 'log'>;
  readonly store: Pick<IngestStore, 'boxIds' | 'load'>;
  readonly counters: Counters;
  /** Sends frames to boxes; a box that does not get its frame resends later anyway. */
  send(frames: readonly DownlinkFrame[]): void;
}

/**
 * Asks the connected boxes of these partitions to resend records without a receipt: the previous backend may have
 * acknowledged frames to the broker, and ended before it stored them. Without a request a box waits 30 s for a receipt,
 * longer than the caller of a command does. Never rejects.
 */
export function makeResendRequest(
  parts: ResendRequestParts,
): (partitions: readonly number[]) => Promise<void> {
  const { world, store, counters } = parts;

  async function requestFrom(boxIds: readonly string[]): Promise<void> {
    const frames: DownlinkFrame[] = [];
    for (const [boxId, { vehicle }] of await store.load(boxIds)) {
      const { generation, journal, connection } = vehicle.box;
      // If it is unknown whether the box is connected, the frame is sent: the broker knows.
      if (connection?.open === false || journal.epoch === 0) continue;
      frames.push({ boxId, generation, epoch: journal.epoch, message: { kind: 'resend' } });
    }
    counters.add('resends.requested', frames.length);
    parts.send(frames);
  }

  return async (partitions) => {
    const wanted = new Set(partitions);
    try {
      let after: string | undefined;
      do {
        const page: readonly string[] = await store.boxIds({ after, limit: limits.resendPageBoxes });
        const boxIds = page.filter((boxId) => wanted.has(partitionOf(boxId)));
        if (boxIds.length > 0) await requestFrom(boxIds);
        after = page.length < limits.resendPageBoxes ? undefined : page.at(-1);
      } while (after !== undefined);
    } catch (error) {
      world.log.warn(
        { error: String(error), partitions: partitions.length },
        'boxes were not asked to send again',
      );
    }
  };
}
