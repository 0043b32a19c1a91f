import { type Time, valueWithin } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

/**
 * Server-sent events of one name (WHATWG HTML §9.2) until the reader leaves. `open` begins a reading; the function that
 * it returns resolves with the data of the next event, and is called when the reader takes more: a slow reader gets the
 * newest, and nothing accumulates for one that sleeps. `left` is aborted when the reader leaves: a reading that waits
 * for news then ends its wait.
 */
export function eventStream(
  time: Time,
  event: string,
  open: (left: AbortSignal) => () => Promise<unknown>,
  request: AbortSignal,
): Response {
  const encoder = new TextEncoder();
  const leaving = new AbortController();
  const left = AbortSignal.any([request, leaving.signal]);
  const next = open(left);
  let waiting: Promise<string> | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode('retry: 1000\n\n'));
      },
      async pull(controller) {
        waiting ??= next().then((data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        try {
          const text = (await valueWithin(time, limits.streamIdleMs, waiting)) ?? '';
          if (text !== '') waiting = undefined;
          if (!left.aborted) controller.enqueue(encoder.encode(text || ': nothing has changed\n\n'));
        } catch {
          // Its source does not answer. The browser reopens the stream.
          if (!left.aborted) controller.close();
        }
      },
      cancel() {
        leaving.abort();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}
