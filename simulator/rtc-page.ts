import type { FlashOperation } from '../world/flash.ts';

/** There once the clock's counter has jumped: it is the clock's own, so that the firmware never sees it. */
export const jumpKey = 'rtc-jump';

/** What is written when the counter has jumped so far in all. */
export function jumpPage(jumpedMs: number): FlashOperation {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, jumpedMs);
  return { put: jumpKey, bytes };
}

/** How far the counter has jumped in all; 0 where no page says so. */
export function readJump(bytes: Uint8Array | undefined): number {
  if (bytes?.byteLength !== 8) return 0;
  const jumpedMs = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
  return Number.isFinite(jumpedMs) ? jumpedMs : 0;
}
