import { runThread } from '../../../world/threads/thread-program.ts';

/** Echoes texts; some of them make it fail, end, or never answer. */
runThread<undefined, string, string>(() => ({
  answer(request, progress) {
    if (request === 'throw') throw new Error('it cannot');
    if (request === 'exit') process.exit(7);
    if (request === 'hang') return new Promise<string>(() => undefined);
    if (request === 'uncaught') return uncaught();
    progress(`half of ${request}`);
    return Promise.resolve(`echo ${request}`);
  },
  close: () => undefined,
}));

/** Ends the thread with an error that nothing catches. */
function uncaught(): Promise<string> {
  queueMicrotask(() => {
    throw new Error('out of room');
  });
  return new Promise<string>(() => undefined);
}
