import { closeSync, openSync, readSync } from 'node:fs';

/** UTF-8 has at most so many bytes for a character of a text. */
const CHARACTER_BYTES = 3;

/** A file of a user as text; undefined where it has more characters than that, of which no more are read. Throws where it cannot be read. */
export function readBounded(file: string, characters: number): string | undefined {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(CHARACTER_BYTES * characters + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(handle, bytes, length, bytes.length - length, null);
    if (length === bytes.length) return undefined;
    const text = bytes.toString('utf8', 0, length);
    return text.length > characters ? undefined : text;
  } finally {
    closeSync(handle);
  }
}
