import { testbedLimits } from '../../../limits.ts';

/**
 * The most tombstones for so many records, for any history. A loss is between two held records, and so is the
 * tombstone that reports it, there or higher up; neighbours merge, so that one stays for each of these pairs. As many
 * again may stay for records that were receipted since: their neighbours merge with the next loss.
 */
export function mostTombstones(records: number): number {
  return Math.min(testbedLimits.tombstoneRoom, (records + 1) * (records + 2));
}
