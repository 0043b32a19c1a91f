import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { limits } from './limits.ts';
import type { LiveFigures } from './live-figures.ts';

/** What this process costs. Each look tells of the time since the one before. */
export interface ProcessFigures {
  look(): Required<Pick<LiveFigures, 'lagMs' | 'memoryBytes' | 'busyShare'>>;
  end(): void;
}

/** Begins to measure. A timer of libuv measures the delays: it costs little, and keeps no process alive. */
export function measureProcess(): ProcessFigures {
  const delays = monitorEventLoopDelay({ resolution: limits.lagResolutionMs });
  delays.enable();
  let since = performance.eventLoopUtilization();
  return {
    look() {
      const now = performance.eventLoopUtilization();
      const busyShare = performance.eventLoopUtilization(now, since).utilization;
      since = now;
      // What it measures includes the wait that was asked for; without a value yet it tells 0.
      const lagMs = Math.max(0, delays.max / 1e6 - limits.lagResolutionMs);
      delays.reset();
      return { lagMs, memoryBytes: process.memoryUsage.rss(), busyShare };
    },
    end() {
      delays.disable();
    },
  };
}
