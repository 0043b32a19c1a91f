/**
 * The reader of stdout may close it before the end (`| head`). That is no failure: further output is dropped without a
 * message. For the whole process; any other error of stdout is thrown.
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

/** Writes to stdout. Resolves once it is written: false where stdout has no reader any more. */
export function written(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => resolve(error === undefined || error === null));
  });
}

/** Whether a status line is possible there. A terminal without a width, as in many pipelines, counts as a pipe. */
export function isScreen({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): boolean {
  return isTTY && columns > 0;
}

/** Text from a file must not control the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters.
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}
