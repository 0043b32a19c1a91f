import { closeSync, openSync, readSync } from 'node:fs';

/** UTF-8 has at most so many bytes for a character of a text. */
const CHARACTER_BYTES = 3;

/** How a user names standard input where a file is asked for, and what its descriptor is. */
export const STANDARD_INPUT = '-';
const STANDARD_INPUT_HANDLE = 0;

/** How long is waited for more of a standard input that has nothing at the moment. */
const STALLED_MS = 5;

/** Opens a file for reading; `-` is standard input. */
export function openReadable(file: string): number {
  return file === STANDARD_INPUT ? STANDARD_INPUT_HANDLE : openSync(file, 'r');
}

/** Closes what `openReadable` has opened. */
export function closeReadable(handle: number): void {
  if (handle !== STANDARD_INPUT_HANDLE) closeSync(handle);
}

/** Reads some bytes into `bytes` from that place on; 0 at the end. Waits where a pipe has none yet. */
export function readSome(handle: number, bytes: Uint8Array, at = 0): number {
  for (;;) {
    try {
      return readSync(handle, bytes, at, bytes.length - at, null);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALLED_MS);
    }
  }
}

/**
 * A file of a user as text, or standard input (`-`); undefined where it has more characters than that, of which no more
 * are read. Throws where it cannot be read.
 */
export function readBounded(file: string, characters: number): string | undefined {
  const handle = openReadable(file);
  try {
    const bytes = Buffer.alloc(CHARACTER_BYTES * characters + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSome(handle, bytes, length);
    if (length === bytes.length) return undefined;
    const text = bytes.toString('utf8', 0, length);
    return text.length > characters ? undefined : text;
  } finally {
    closeReadable(handle);
  }
}
