/**
 * The reader of stdout may close it before the end (`| head`). That is no failure: further output is dropped
 * without a message. For the whole process; any other error of stdout is thrown.
 */
export function ignoreClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Calls `left` when stdout has no reader any more. Returns a function that removes the callback. */
export function onOutputClosed(left: () => void): () => void {
  process.stdout.on('error', left);
  return () => {
    process.stdout.off('error', left);
  };
}
