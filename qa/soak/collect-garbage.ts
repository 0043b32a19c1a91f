import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread, type WorkerOptions } from 'node:worker_threads';

/**
 * Loaded into each part of a soak (`node --expose-gc --import`), and by it into the threads of that part: collects
 * garbage every few seconds, so that resident memory follows what lives. By itself the engine lets garbage grow to
 * several times of that, so slowly that twenty minutes of it look like a leak.
 */
const EVERY_MS = 15_000;

setInterval(() => globalThis.gc?.(), EVERY_MS).unref();

if (isMainThread) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(program: string | URL, options?: WorkerOptions) {
      super(program, { ...options, execArgv: [...(options?.execArgv ?? []), '--import', import.meta.url] });
    }
  };
  syncBuiltinESMExports();
}
