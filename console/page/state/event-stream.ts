import { ask } from './ask.ts';

export interface EventStreamParts {
  readonly path: string;
  /** Its events by their names, with their data as JSON. */
  readonly events: Readonly<Record<string, (data: unknown) => void>>;
  opened?(): void;
  /** It broke, and is opened again. */
  lost(): void;
}

const FIRST_AGAIN_MS = 500;
const AGAIN_MS = 2_000;

/**
 * Listens to an event stream of the console from now on; the returned function ends it. One that breaks the browser opens
 * again. One that is refused it gives up: a server that was started anew has a session of its own, which asking begins.
 * A page that nobody sees listens to nothing: its stream is closed, and opened anew when it is seen again.
 */
export function listenTo(parts: EventStreamParts): () => void {
  let isOver = false;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    if (isOver || document.visibilityState !== 'visible') return;
    const opened = new EventSource(parts.path);
    source = opened;
    opened.addEventListener('open', () => parts.opened?.());
    for (const [name, take] of Object.entries(parts.events))
      opened.addEventListener(name, (event) => take(JSON.parse(String(event.data))));
    opened.addEventListener('error', () => {
      if (isOver) return;
      parts.lost();
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(begin, FIRST_AGAIN_MS);
    });
  }

  function begin(): void {
    ask('/console/facts').then(open, () => {
      if (!isOver) timer = setTimeout(begin, AGAIN_MS);
    });
  }

  function seenOrNot(): void {
    clearTimeout(timer);
    source?.close();
    open();
  }

  document.addEventListener('visibilitychange', seenOrNot);
  open();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', seenOrNot);
    clearTimeout(timer);
    source?.close();
  };
}
