/**
 * Whoever reads stdout may leave before the end (`| head`). That is no failure: what is still written then goes nowhere,
 * in silence. For the whole process; any other error of stdout is thrown.
 */
export function letReaderLeave(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Calls `left` once nobody reads stdout any more. Returns what takes that back. */
export function onReaderLeft(left: () => void): () => void {
  process.stdout.on('error', left);
  return () => {
    process.stdout.off('error', left);
  };
}
