/** The rows of quarantine: the ids of each box, the oldest first. */
export type IdsByBox = ReadonlyMap<string, readonly number[]>;

/**
 * Which rows to remove, so that at most `most` stay. Boxes with more than their share lose their oldest rows,
 * and the share is as large as the others leave room for: a box that fills the quarantine displaces its own
 * evidence, not that of boxes with little. Of rows beyond equal shares the newest stay.
 */
export function beyondShare(rows: IdsByBox, most: number): readonly number[] {
  const all = [...rows.values()];
  const total = all.reduce((sum, ids) => sum + ids.length, 0);
  if (total <= most) return [];
  const share = shareOf(all, most);
  const sure = all.reduce((sum, ids) => sum + Math.min(ids.length, share), 0);
  // The rest beyond equal shares: one more row for some boxes.
  const next = all.flatMap((ids) => (ids.length > share ? [ids[ids.length - share - 1] ?? 0] : []));
  const kept = new Set(next.sort((one, other) => other - one).slice(0, most - sure));
  return all.flatMap((ids) => ids.slice(0, Math.max(0, ids.length - share)).filter((id) => !kept.has(id)));
}

/** The largest number of rows that every box can have, if it has that many, within `most`. */
function shareOf(all: readonly (readonly number[])[], most: number): number {
  const counts = all.map((ids) => ids.length).sort((one, other) => one - other);
  let left = most;
  for (const [index, count] of counts.entries()) {
    const boxes = counts.length - index;
    if (count * boxes > left) return Math.floor(left / boxes);
    left -= count;
  }
  return counts.at(-1) ?? 0;
}
