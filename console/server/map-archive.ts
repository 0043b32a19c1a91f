import type { Hono } from 'hono';
import { problemResponse } from '../../simulator/http/refusal.ts';
import { limits } from '../limits.ts';

/** A PMTiles file. */
export interface MapArchive {
  readonly bytes: number;
  /** Changes with the content: a reader never mixes two versions. */
  readonly version: string;
  /** That number of bytes from the offset; both are within the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Serves parts of the archive, as readers of PMTiles request them: one range of bytes a request (RFC 9110 §14). */
export function mapArchiveRoute(app: Hono, archive: MapArchive): void {
  const headers = { etag: `"${archive.version}"`, 'accept-ranges': 'bytes', 'cache-control': 'no-store' };
  app.get('/console/map.pmtiles', async (c) => {
    const range = rangeOf(c.req.header('range'), archive.bytes);
    if (range === undefined)
      return problemResponse({
        status: 400,
        detail: `Ask for one range of at most ${limits.mapRangeBytes} bytes: "Range: bytes=0-16383".`,
      });
    if (range.from >= archive.bytes)
      return c.body(null, 416, { ...headers, 'content-range': `bytes */${archive.bytes}` });
    const bytes = await archive.read(range.from, range.to - range.from + 1);
    return c.body(new Uint8Array(bytes), 206, {
      ...headers,
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${range.from}-${range.to}/${archive.bytes}`,
    });
  });
}

/** Both ends are within it, or the first is beyond its end. */
function rangeOf(
  header: string | undefined,
  bytes: number,
): { readonly from: number; readonly to: number } | undefined {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined) return undefined;
  const from = Number(first);
  const to = Math.min(Number(last), bytes - 1);
  if (from >= bytes) return { from, to };
  return to < from || to - from >= limits.mapRangeBytes ? undefined : { from, to };
}
