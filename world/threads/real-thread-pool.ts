import { type Thread, ThreadEnded } from './real-thread.ts';

/** Starts one thread of a pool. `end` ends it immediately. */
export type ThreadStart<Request, Answer> = (end: AbortSignal) => Promise<Thread<Request, Answer>>;

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly onProgress: ((progress: unknown) => void) | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Threads with the same program, each of which answers one request at a time. A thread is started when a
 * request finds none that is idle, up to `size` threads. One that has ended is replaced by the next request.
 */
export class ThreadPool<Request, Answer> {
  readonly #size: number;
  readonly #start: ThreadStart<Request, Answer>;
  #idle: Thread<Request, Answer>[] = [];
  #waiting: Waiting<Request, Answer>[] = [];
  /** Threads that start or answer. */
  #busy = 0;
  #ending = new AbortController();

  constructor(size: number, start: ThreadStart<Request, Answer>) {
    this.#size = size;
    this.#start = start;
  }

  /**
   * Resolves with the answer of a thread; requests are taken in the order in which they come. Rejects with what
   * the program throws, with `ThreadEnded` if the thread ends before, and with the error of a start that fails.
   */
  ask(request: Request, onProgress?: (progress: unknown) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, onProgress, resolve, reject });
      this.#next();
    });
  }

  /** Rejects the requests that no thread has taken yet with `ThreadEnded`. */
  dropWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(new ThreadEnded('The request was dropped before it began.'));
  }

  /** Ends all threads immediately; requests under way and waiting are rejected with `ThreadEnded`. */
  endAll(): void {
    this.#idle = [];
    this.#busy = 0;
    const ending = this.#ending;
    this.#ending = new AbortController();
    this.dropWaiting();
    ending.abort();
  }

  #next(): void {
    while (this.#busy < this.#size) {
      const first = this.#waiting.shift();
      if (first === undefined) return;
      this.#busy += 1;
      void this.#answer(first, this.#ending.signal);
    }
  }

  /** Never rejects. */
  async #answer(
    { request, onProgress, resolve, reject }: Waiting<Request, Answer>,
    end: AbortSignal,
  ): Promise<void> {
    let thread: Thread<Request, Answer> | undefined;
    try {
      thread = this.#idle.pop() ?? (await this.#start(end));
      resolve(await thread.ask(request, [], onProgress));
    } catch (error) {
      if (error instanceof ThreadEnded) thread = undefined;
      reject(error);
    }
    // `endAll` has counted it out already.
    if (end.aborted) return;
    this.#busy -= 1;
    if (thread !== undefined) this.#idle.push(thread);
    this.#next();
  }
}
