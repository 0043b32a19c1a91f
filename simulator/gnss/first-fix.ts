import type { ResetReason } from '../../protocol/message.ts';
import type { Stream } from '../../world/random/random.ts';
import { limits } from './limits.ts';

/**
 * What a receiver remembers when its box starts. Cold: nothing. Warm: the approximate positions of the
 * satellites. Hot: their orbits, since its backup memory had power. Undefined: only the processor was reset,
 * and the receiver kept running.
 */
const KNOWS: Readonly<Record<ResetReason, keyof typeof limits.firstFixMs | undefined>> = {
  GENERAL: 'cold',
  POWER_DOWN_MODE: 'warm',
  BROWN_OUT: 'hot',
  UNKNOWN: 'hot',
  BACKUP: undefined,
  WATCHDOG: undefined,
  SOFTWARE: undefined,
  USER: undefined,
};

/** How long after such a start a receiver has its first fix, in milliseconds. */
export function firstFixAfterMs(reason: ResetReason, stream: Stream): number {
  const knows = KNOWS[reason];
  if (knows === undefined) return 0;
  const [shortest, longest] = limits.firstFixMs[knows];
  return stream.whole(shortest, longest);
}
