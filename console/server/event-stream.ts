import { type Time, valueWithin } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

/**
 * Server-sent events of one name (WHATWG HTML §9.2) until the reader leaves. `next` is asked for the data of the next event
 * when the reader takes more: a slow reader gets the newest, and nothing piles up for one that sleeps.
 */
export function eventStream(
  time: Time,
  event: string,
  next: () => Promise<unknown>,
  left: { readonly signal: AbortSignal; readonly leave?: () => void },
): Response {
  const encoder = new TextEncoder();
  let waiting: Promise<string> | undefined;
  left.signal.addEventListener('abort', () => left.leave?.(), { once: true });
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode('retry: 1000\n\n'));
      },
      async pull(controller) {
        waiting ??= next().then((data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        const text = (await valueWithin(time, limits.streamIdleMs, waiting)) ?? '';
        if (text !== '') waiting = undefined;
        if (!left.signal.aborted) controller.enqueue(encoder.encode(text || ': nothing has changed\n\n'));
      },
      cancel() {
        left.leave?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}
