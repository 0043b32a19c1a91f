import { fstatSync } from 'node:fs';
import type { MapArchive } from '../../console/server/map-archive.ts';
import { errorText } from '../../world/error-text.ts';
import { closeInput, openFile, readSome, reopenFile, unreadableText } from '../input/input-file.ts';
import { CommandError } from '../shared/command-error.ts';
import type { MapGround } from '../shared/deployment-options.ts';

/** PMTiles, version 3: seven letters and the number. */
const ARCHIVE_BEGIN = 'PMTiles\u0003';

/**
 * The ground of `--map`: a PMTiles file, or the URL of a style; undefined where it is not given. Throws a
 * `CommandError` where it is neither.
 */
export function readMapGround(given: string | undefined): MapGround | undefined {
  if (given === undefined) return undefined;
  if (/^https?:\/\//i.test(given)) {
    if (!URL.canParse(given)) throw new CommandError(`--map ${given} is no URL.`);
    if (/\.pmtiles$/i.test(new URL(given).pathname))
      throw new CommandError(
        `--map takes a PMTiles file of this machine, and ${given} is elsewhere. Download it, or give the URL of a MapLibre style.`,
      );
    return { base: { kind: 'style', url: given } };
  }
  return { base: { kind: 'archive' }, archive: archiveOf(given) };
}

function archiveOf(path: string): MapArchive {
  const begin = Buffer.alloc(ARCHIVE_BEGIN.length);
  try {
    const opened = openFile(path);
    if ('fault' in opened) throw new CommandError(unreadableText('map', path, opened.fault, '--map'));
    const { handle } = opened;
    try {
      const found = fstatSync(handle);
      readSome(handle, begin);
      if (begin.toString('latin1') !== ARCHIVE_BEGIN)
        throw new CommandError(unreadableText('map', path, 'is no PMTiles file of version 3', '--map'));
      return {
        bytes: found.size,
        version: `${Math.round(found.mtimeMs)}-${found.size}`,
        read: (offset, length) => readPart(path, offset, length),
      };
    } finally {
      closeInput(handle);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`The map ${path} cannot be read: ${errorText(error)}`);
  }
}

async function readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await reopenFile(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
