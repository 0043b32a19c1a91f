import type { FrameTap } from '../../simulator/control/frame-stream.ts';
import type { Time } from '../../world/time/time.ts';
import type { RealTrace } from '../../world/trace/real-trace.ts';

/** The frames among the events of the trace. */
export function wireTap(trace: RealTrace, time: Pick<Time, 'nowMs'>): FrameTap {
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
