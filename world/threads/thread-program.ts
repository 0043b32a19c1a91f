import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ToThread } from './thread-messages.ts';

/** A program on a thread, once it has its settings. */
export interface ThreadProgram<Request, Answer> {
  /** Sent to the starter of the thread: any value that can be posted between threads. */
  readonly facts?: unknown;
  /**
   * Answers immediately, or with a promise; the next request waits for it. An error that it throws or
   * rejects with rejects the request. `progress` posts the progress of the answer to the starter.
   */
  answer(request: Request, progress: (progress: unknown) => void): Answer | Promise<Answer>;
  close(): void;
}

/**
 * Runs a program on this thread, until its starter closes it. `open` gets the settings of `startThread`; what
 * it throws refuses the start.
 */
export function runThread<Settings, Request, Answer>(
  open: (settings: Settings) => ThreadProgram<Request, Answer>,
): void {
  const port = parentPort;
  if (port === null) throw new Error('This module is the program of a thread.');
  const post = (message: FromThread): void => port.postMessage(message);
  let program: ThreadProgram<Request, Answer>;
  try {
    program = open(workerData as Settings);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    post({ kind: 'refused', name, message });
    return;
  }
  const progress = (far: unknown): void => post({ kind: 'progress', progress: far });
  const take = async (message: ToThread): Promise<void> => {
    if (message.kind === 'close') {
      program.close();
      port.close();
      return;
    }
    try {
      post({ kind: 'answer', answer: await program.answer(message.request as Request, progress) });
    } catch (error) {
      post({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  let last = Promise.resolve();
  port.on('message', (message: ToThread) => {
    last = last.then(() => take(message));
  });
  post({ kind: 'ready', facts: program.facts });
}
