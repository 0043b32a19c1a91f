/**
 * How many partitions there are. It is part of the protocol and no setting: it is part of the topics, and a change of it
 * would move boxes from one to another.
 */
export const PARTITIONS = 64;

/** FNV-1a, 32 bits (draft-eastlake-fnv, section 5): offset basis and prime. */
const OFFSET_BASIS = 0x811c_9dc5;
const PRIME = 0x0100_0193;
const PARTITION_BITS = 6;

/**
 * The partition of a box, or of a vehicle without a box, 0 to 63, by its id: FNV-1a of its ASCII characters, folded to 6
 * bits by XOR as the draft says for short hashes (section 3). Total, for any text.
 */
export function partitionOf(id: string): number {
  let hash = OFFSET_BASIS;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ (id.charCodeAt(index) & 0xff), PRIME);
  return ((hash >>> PARTITION_BITS) ^ hash) & (PARTITIONS - 1);
}
