import { limits } from '../limits.ts';

/**
 * The most tombstones beside so many records, whatever happened in between. A loss lies between two records that are held,
 * and so does the tombstone that tells it, there or higher up; neighbours merge, so that one stays for each of these
 * pairs. As many again may stay for records that were receipted since: their neighbours merge with the next loss.
 */
export function mostTombstones(records: number): number {
  return Math.min(limits.tombstoneRoom, (records + 1) * (records + 2));
}
