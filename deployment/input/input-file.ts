import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { CommandError } from '../shared/command-error.ts';
import { INPUT_FILES, type InputFileRow, type InputKind } from './input-kinds.ts';

/** How a user names standard input where a file is asked for, and what its descriptor is. */
export const STANDARD_INPUT = '-';
const STANDARD_INPUT_HANDLE = 0;

/** How long to wait for more of a standard input that is empty at the moment. */
const STALLED_MS = 5;

/** The content of a file, or why it cannot be read: a predicate without a full stop, such as `does not exist`. */
export type InputReading = { readonly bytes: Uint8Array } | { readonly fault: string };

type OpenedInput = { readonly handle: number; readonly size: number } | { readonly fault: string };

/**
 * Opens a regular file for reading, or standard input (`-`) where this kind of file allows it. Devices, pipes and
 * directories are refused before a byte is read. The caller closes the handle with `closeInput`. Never throws.
 */
export function openInput(kind: InputKind, path: string): OpenedInput {
  const { takesStandardInput }: InputFileRow = INPUT_FILES[kind];
  return path === STANDARD_INPUT && takesStandardInput === true
    ? { handle: STANDARD_INPUT_HANDLE, size: 0 }
    : openFile(path);
}

/** The same, of a file whose parts are read again or in any order: never standard input. */
export function openFile(path: string): OpenedInput {
  return openRegular(path, 0);
}

/**
 * The same without waiting for the disk, for a file that `openFile` has opened before: another one may have replaced
 * it. The caller closes it. Rejects with a `CommandError` where it is no regular file, or with the error of the system.
 */
export async function reopenFile(path: string): Promise<FileHandle> {
  const file = await open(path, READING);
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw new CommandError(`${path} is ${kindOf(stats)} now, not a regular file.`);
}

/** The content of such a file as a stream. Rejects as `reopenFile` does. */
export async function streamOfFile(path: string): Promise<ReadableStream<Uint8Array>> {
  const file = await reopenFile(path);
  return Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>;
}

/** Closes an input of `openInput`. */
export function closeInput(handle: number): void {
  if (handle !== STANDARD_INPUT_HANDLE) closeSync(handle);
}

/** Reads some bytes into `bytes` from that position on; 0 at the end. Waits where standard input has none yet. */
export function readSome(handle: number, bytes: Uint8Array, at = 0): number {
  for (;;) {
    try {
      return readSync(handle, bytes, at, bytes.length - at, null);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALLED_MS);
    }
  }
}

/** The content of a file of this kind that a user names on the command line. Never throws. */
export function readInput(kind: InputKind, path: string): InputReading {
  return contentOf(openInput(kind, path), INPUT_FILES[kind].mostBytes);
}

/**
 * The content of a file that another file names, such as a scenario: only a regular file in that folder or below it,
 * after links are resolved. A name that leads outside is refused without access to the disk. Never throws.
 */
export function readInputWithin(folder: string, name: string, mostBytes: number): InputReading {
  const path = resolve(folder, name);
  if (isOutside(resolve(folder), path)) return { fault: OUTSIDE };
  try {
    const real = realpathSync(path);
    if (isOutside(realpathSync(folder), real)) return { fault: OUTSIDE };
    // A link that replaces the file after this check is not followed.
    return contentOf(openRegular(real, constants.O_NOFOLLOW ?? 0), mostBytes);
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}

/** Which file cannot be read, why, and what to do about it. `option` is how the file was named. */
export function unreadableText(kind: InputKind, path: string, fault: string, option?: string): string {
  const { what, remedy } = INPUT_FILES[kind];
  return `${what} ${path}${option === undefined ? '' : ` (${option})`} ${fault}. ${remedy}`;
}

/** The content of a file of this kind that a user names. Throws a `CommandError` that names the file and the reason. */
export function inputBytes(kind: InputKind, path: string): Uint8Array {
  const reading = readInput(kind, path);
  if ('fault' in reading) throw new CommandError(unreadableText(kind, path, reading.fault));
  return reading.bytes;
}

/** The same as text in UTF-8. */
export function inputText(kind: InputKind, path: string): string {
  return Buffer.from(inputBytes(kind, path)).toString('utf8');
}

/**
 * The size of a file of this kind that is read in parts, in bytes. Throws a `CommandError` where it is no regular file.
 */
export function inputSize(kind: InputKind, path: string): number {
  const opened = openFile(path);
  if ('fault' in opened) throw new CommandError(unreadableText(kind, path, opened.fault));
  closeInput(opened.handle);
  return opened.size;
}

const OUTSIDE = 'is outside the folder of the file that names it';

/** Without O_NONBLOCK, opening a pipe waits for a writer. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function openRegular(path: string, flags: number): OpenedInput {
  try {
    const handle = openSync(path, READING | flags);
    const stats = fstatSync(handle);
    if (stats.isFile()) return { handle, size: stats.size };
    closeSync(handle);
    return { fault: `is ${kindOf(stats)}, not a regular file` };
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}

/** Reads and closes. */
function contentOf(opened: OpenedInput, mostBytes: number): InputReading {
  if ('fault' in opened) return opened;
  const { handle, size } = opened;
  try {
    if (size > mostBytes) return { fault: `has ${size} bytes; at most ${mostBytes} are read` };
    return allOf((bytes, at) => readSome(handle, bytes, at), size, mostBytes);
  } catch (error) {
    return { fault: reasonOf(error) };
  } finally {
    closeInput(handle);
  }
}

/**
 * The content that `read` returns until it returns 0; it reads as `readSome` does. `size` is the expected one: one byte
 * more than allowed is requested, as files below /proc have no size, and others grow. Throws what `read` throws.
 */
export function allOf(
  read: (bytes: Uint8Array, at: number) => number,
  size: number,
  mostBytes: number,
): InputReading {
  const pieces: Uint8Array[] = [];
  for (let length = 0; ; ) {
    const piece = new Uint8Array(Math.min(mostBytes + 1 - length, Math.max(size - length, PIECE_BYTES)));
    // Standard input may return few bytes at a time: a piece is filled before the next one is allocated.
    let filled = 0;
    for (let count = -1; count !== 0 && filled < piece.length; filled += count) count = read(piece, filled);
    length += filled;
    if (length > mostBytes) return { fault: `has more than ${mostBytes} bytes; no more are read` };
    pieces.push(piece.subarray(0, filled));
    if (filled < piece.length) return { bytes: Buffer.concat(pieces) };
  }
}

const PIECE_BYTES = 65_536;

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  return stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? `cannot be read (${code === '' ? String(error) : code})`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by you',
  EPERM: 'may not be read by you',
  ENXIO: 'is a socket, not a regular file',
  ELOOP: 'is a link that leads nowhere',
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
