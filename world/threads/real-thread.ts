import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FromThread, ToThread } from './thread-messages.ts';

/** A program on a thread of its own, which answers requests one after the other. */
export interface Thread<Request, Answer> {
  /** The program's value when it became ready. */
  readonly ready: unknown;
  /**
   * Resolves with the program's answer. Rejects with `ThreadEnded` if the thread has ended or ends before it
   * answers; then the request may have been carried out or not. `onProgress` gets the progress that the
   * program posts before.
   */
  ask(
    request: Request,
    transfer?: readonly ArrayBuffer[],
    onProgress?: (progress: unknown) => void,
  ): Promise<Answer>;
  /** Lets the program finish the requests under way, and ends it. */
  close(): Promise<void>;
}

/** The thread has ended: by `close`, from outside, or by an error of its program. The message says which. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/** The program could not begin. `reason` is the name of its error. */
export class ThreadRefused extends Error {
  override readonly name = 'ThreadRefused';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

interface PendingAnswer {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: unknown) => void) | undefined;
}

/**
 * Starts the program of the module `program`, such as `./store-thread`, relative to the module `beside` (its
 * `import.meta.url`). It is TypeScript in a checkout and JavaScript in the built package, as that module is.
 * Rejects with `ThreadRefused` if the program refuses `settings`, and with `ThreadEnded` if it ends before it
 * is ready. `end` ends the thread immediately, also while it starts or answers.
 *
 * The thread keeps the process alive only while a request is under way.
 */
export async function startThread<Request, Answer>(
  program: string,
  beside: string,
  settings: unknown,
  end?: AbortSignal,
): Promise<Thread<Request, Answer>> {
  if (end?.aborted === true) throw new ThreadEnded(ENDED_FROM_OUTSIDE);
  const extension = beside.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`${program}.${extension}`, beside), {
    workerData: settings,
    // Options of the main thread, such as those of a profiler or a test runner, are not meant for this one.
    execArgv: [],
  });
  const stop = (): void => void worker.terminate();
  end?.addEventListener('abort', stop);
  worker.once('exit', () => end?.removeEventListener('abort', stop));
  const first = await firstMessage(worker, end);
  if (first.kind !== 'ready') {
    await worker.terminate();
    throw first.kind === 'refused'
      ? new ThreadRefused(first.name, first.message)
      : new ThreadEnded('The thread answered before it was ready.');
  }
  return new WorkerThread(worker, first.facts, end);
}

const ENDED_FROM_OUTSIDE = 'The thread was ended.';

function exitOf(code: number, end: AbortSignal | undefined): ThreadEnded {
  return new ThreadEnded(
    end?.aborted === true ? ENDED_FROM_OUTSIDE : `The thread has ended with the exit code ${code}.`,
  );
}

function failureOf({ message }: Error): ThreadEnded {
  return new ThreadEnded(`The thread failed: ${message.replace(/\.$/, '')}.`);
}

function firstMessage(worker: Worker, end: AbortSignal | undefined): Promise<FromThread> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error: Error) => reject(failureOf(error)));
    worker.once('exit', (code) => reject(exitOf(code, end)));
  });
}

class WorkerThread<Request, Answer> implements Thread<Request, Answer> {
  readonly ready: unknown;
  readonly #worker: Worker;
  /** In the order in which they were asked, which is that of the answers. */
  readonly #pending: PendingAnswer[] = [];
  #ended: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(worker: Worker, ready: unknown, end: AbortSignal | undefined) {
    this.ready = ready;
    this.#worker = worker;
    worker.on('message', (message: FromThread) => this.#answered(message));
    worker.on('error', (error: Error) => this.#end(failureOf(error)));
    worker.on('exit', (code) => this.#end(exitOf(code, end)));
    worker.unref();
  }

  ask(
    request: Request,
    transfer: readonly ArrayBuffer[] = [],
    onProgress?: (progress: unknown) => void,
  ): Promise<Answer> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#closing !== undefined) return Promise.reject(new ThreadEnded('The thread is closed.'));
    return new Promise<Answer>((resolve, reject) => {
      this.#pending.push({ resolve: resolve as (answer: unknown) => void, reject, onProgress });
      this.#worker.ref();
      this.#post({ kind: 'request', request }, transfer);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#ended !== undefined) return;
    this.#worker.ref();
    const exit = once(this.#worker, 'exit');
    this.#post({ kind: 'close' }, []);
    await exit;
  }

  #post(message: ToThread, transfer: readonly ArrayBuffer[]): void {
    this.#worker.postMessage(message, transfer);
  }

  #answered(message: FromThread): void {
    if (message.kind === 'progress') {
      this.#pending[0]?.onProgress?.(message.progress);
      return;
    }
    const pending = this.#pending.shift();
    if (this.#pending.length === 0 && this.#closing === undefined) this.#worker.unref();
    if (message.kind === 'answer') pending?.resolve(message.answer);
    else if (message.kind === 'failed') pending?.reject(message.error);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#pending.splice(0)) reject(this.#ended);
  }
}
