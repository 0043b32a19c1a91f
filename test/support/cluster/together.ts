import type { Node } from './node.ts';

/** Waits for all of them. Where one cannot start it ends the others, calls `remove`, and rejects with the reason. */
export async function startTogether<N extends Node>(
  begun: readonly Promise<N>[],
  remove: () => void,
): Promise<readonly N[]> {
  const settled = await Promise.allSettled(begun);
  const nodes = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed === undefined) return nodes;
  await stopTogether(nodes, remove);
  throw failed.reason;
}

/** Ends all of them, then calls `remove`. */
export async function stopTogether(nodes: readonly Node[], remove: () => void): Promise<void> {
  await Promise.all(nodes.map((node) => node.stop()));
  remove();
}
