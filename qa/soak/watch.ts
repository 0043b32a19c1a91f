import { figuresOf } from './clients.ts';
import type { MemorySample } from './flat.ts';
import { limits } from './limits.ts';
import type { ServiceFigures } from './metrics.ts';
import { memoryOf } from './processes.ts';

/** What is measured while the soak runs. Times are from the start of the watch. */
export interface Watch {
  readonly memory: ReadonlyMap<string, readonly MemorySample[]>;
  readonly service: readonly (ServiceFigures & { readonly atMs: number })[];
  /** Parts whose process was another one than before, with the moment. */
  readonly restarted: readonly string[];
  stop(): Promise<void>;
}

/** Samples memory and metrics until it is stopped. A look that takes longer than its interval delays the next. */
export function startWatch(upPid: number, baseUrl: string): Watch {
  const beganMs = performance.now();
  const memory = new Map<string, MemorySample[]>();
  const service: Watch['service'][number][] = [];
  const pids = new Map<string, number>();
  const restarted: string[] = [];
  const loops = [
    repeat(limits.sampleMs, async () => {
      for (const { pid, part, bytes } of await memoryOf(upPid)) {
        const atMs = performance.now() - beganMs;
        const samples = memory.get(part) ?? [];
        memory.set(part, samples);
        samples.push({ atMs, bytes });
        if ((pids.get(part) ?? pid) !== pid) restarted.push(`${part} after ${(atMs / 1_000).toFixed(0)} s`);
        pids.set(part, pid);
      }
    }),
    repeat(limits.metricsMs, async () => {
      const figures = await figuresOf(baseUrl);
      if (figures !== undefined) service.push({ ...figures, atMs: performance.now() - beganMs });
    }),
  ];
  return {
    memory,
    service,
    restarted,
    stop: async () => {
      await Promise.all(loops.map((stop) => stop()));
    },
  };
}

/** Begins at once. What is returned ends it, and resolves once the last look is over. */
function repeat(everyMs: number, look: () => Promise<void>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let looking = Promise.resolve();
  const run = () => {
    looking = look().then(() => {
      if (!isOver) timer = setTimeout(run, everyMs);
    });
  };
  run();
  return () => {
    isOver = true;
    clearTimeout(timer);
    return looking;
  };
}
