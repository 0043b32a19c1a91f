import type { FrameTap, TappedPayload } from '../../simulator/control/frame-stream.ts';
import type { Time } from '../../world/time/time.ts';
import type { RealTrace } from '../../world/trace/real-trace.ts';

/** The frames among the events of the trace. */
export function wireTap(trace: RealTrace, time: Pick<Time, 'nowMs'>): FrameTap {
  return {
    listen: (boxId, hear) =>
      listenToFrames(trace, time, (of, payload) => {
        if (of === boxId) hear(payload);
      }),
  };
}

const BOX = 'box/';

/** Calls `hear` with each payload of every box from now on. The returned function stops that. */
export function listenToFrames(
  trace: RealTrace,
  time: Pick<Time, 'nowMs'>,
  hear: (boxId: string, payload: TappedPayload) => void,
): () => void {
  return trace.listen(({ who, what, bytes }) => {
    if (bytes === undefined || !who.startsWith(BOX)) return;
    if (what !== 'frame-up' && what !== 'frame-down') return;
    hear(who.slice(BOX.length), {
      direction: what === 'frame-up' ? 'up' : 'down',
      atMs: time.nowMs(),
      bytes,
    });
  });
}
