import type { RealTrace } from '../world/real-trace.ts';
import type { Time } from '../world/time.ts';

/** A frame as it passed: what `boxtwin wire` and the simulator's wire stream show. */
export interface TappedFrame {
  readonly direction: 'up' | 'down';
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export interface WireTap {
  /** Calls `hear` with every payload of that box from now on; the returned function ends that. */
  listen(boxId: string, hear: (frame: TappedFrame) => void): () => void;
}

/** The frames among the events of the trace. */
export function wireTap(trace: RealTrace, time: Pick<Time, 'nowMs'>): WireTap {
  return {
    listen(boxId, hear) {
      const who = `box/${boxId}`;
      return trace.listen((event) => {
        if (event.who !== who || event.bytes === undefined) return;
        if (event.what !== 'frame-up' && event.what !== 'frame-down') return;
        hear({
          direction: event.what === 'frame-up' ? 'up' : 'down',
          atMs: time.nowMs(),
          bytes: event.bytes,
        });
      });
    },
  };
}
