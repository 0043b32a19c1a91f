import fc from 'fast-check';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../console/limits.ts';
import { mapArchiveRoute } from '../../../../console/server/map-archive.ts';

const content = Uint8Array.from({ length: 5_000 }, (_, at) => at % 251);
const app = new Hono();
mapArchiveRoute(app, {
  bytes: content.length,
  version: 'one',
  read: async (offset, length) => content.subarray(offset, offset + length),
});
const asked = (range?: string) =>
  app.request('/console/map.pmtiles', range === undefined ? {} : { headers: { range } });

describe('the archive of a map', () => {
  test('is served in parts: each range brings its bytes, and no more than there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: content.length - 1 }),
        fc.integer({ min: 0, max: 8_000 }),
        async (from, more) => {
          const answer = await asked(`bytes=${from}-${from + more}`);
          const to = Math.min(from + more, content.length - 1);
          expect(answer.status).toBe(206);
          expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to}/${content.length}`);
          expect(new Uint8Array(await answer.arrayBuffer())).toEqual(content.slice(from, to + 1));
        },
      ),
    );
  });

  test.each([undefined, 'bytes=0-', 'bytes=9-3', 'bytes=0-1,5-6'])('refuses %s', async (range) => {
    expect((await asked(range)).status).toBe(400);
  });

  test('is served in parts of bounded size', async () => {
    const large = new Hono();
    const read = async (_offset: number, length: number) => new Uint8Array(length);
    mapArchiveRoute(large, { bytes: 10 * limits.mapRangeBytes, version: 'large', read });
    const most = (last: number) =>
      large.request('/console/map.pmtiles', { headers: { range: `bytes=0-${last}` } });
    expect((await most(limits.mapRangeBytes - 1)).status).toBe(206);
    expect((await most(limits.mapRangeBytes)).status).toBe(400);
  });

  test('says where its end is to whoever asks behind it', async () => {
    const answer = await asked('bytes=5000-5001');
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */5000']);
  });
});
