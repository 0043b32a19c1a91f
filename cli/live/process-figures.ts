import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { LiveFigures } from '../../deployment/shared/live-figures.ts';
import { limits } from './limits.ts';

/** The resource usage of this process. Each reading covers the time since the one before. */
export interface ProcessFigures {
  look(): Required<Pick<LiveFigures, 'lagMs' | 'memoryBytes' | 'busyShare'>>;
  end(): void;
}

/** Begins to measure. A timer of libuv measures the delays: it is cheap, and keeps no process alive. */
export function measureProcess(): ProcessFigures {
  const delays = monitorEventLoopDelay({ resolution: limits.lagResolutionMs });
  delays.enable();
  let since = performance.eventLoopUtilization();
  return {
    look() {
      const now = performance.eventLoopUtilization();
      const busyShare = performance.eventLoopUtilization(now, since).utilization;
      since = now;
      // The measurement includes the requested wait; without a value yet it is 0.
      const lagMs = Math.max(0, delays.max / 1e6 - limits.lagResolutionMs);
      delays.reset();
      return { lagMs, memoryBytes: process.memoryUsage.rss(), busyShare };
    },
    end() {
      delays.disable();
    },
  };
}
