import { afterEach, expect, test, vi } from 'vitest';
import { answerOf } from '../../../../console/page/state/ask.ts';

afterEach(() => void vi.unstubAllGlobals());

test('a question that has run out of patience does not wait for a new session', async () => {
  const over = new AbortController();
  vi.stubGlobal('fetch', (path: string, { signal }: RequestInit = {}): Promise<Response> => {
    if (path !== '/') return Promise.resolve(Response.json({}, { status: 401 }));
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      queueMicrotask(() => over.abort(new Error('out of patience')));
      // Without a signal the session begins much later.
      setImmediate(() => resolve(new Response()));
    });
  });
  await expect(answerOf('/console/status', undefined, over.signal)).rejects.toThrow('out of patience');
});
