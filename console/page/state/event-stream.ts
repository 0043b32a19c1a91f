import { ask } from './ask.ts';

export interface EventStreamParts {
  readonly path: string;
  /** Its events by their names, with their data as JSON. */
  readonly events: Readonly<Record<string, (data: unknown) => void>>;
  opened?(): void;
  /** It broke, and is being reopened. */
  lost(): void;
}

const FIRST_AGAIN_MS = 500;
const AGAIN_MS = 2_000;

/**
 * Listens to an event stream of the console from now on; the returned function ends it. The browser reopens a broken
 * stream. It gives up a refused one: a restarted server has its own session, which a request begins. A hidden page
 * listens to nothing: its stream is closed, and reopened when it is visible again.
 */
export function listenTo(parts: EventStreamParts): () => void {
  let isOver = false;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts openings: a request whose answer comes after a later one opens nothing. */
  let attempt = 0;

  function open(): void {
    close();
    if (isOver || document.visibilityState !== 'visible') return;
    const opened = new EventSource(parts.path);
    source = opened;
    opened.addEventListener('open', () => parts.opened?.());
    for (const [name, take] of Object.entries(parts.events))
      opened.addEventListener(name, (event) => take(JSON.parse(String(event.data))));
    opened.addEventListener('error', () => {
      if (source !== opened) return;
      parts.lost();
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(begin, FIRST_AGAIN_MS);
    });
  }

  function begin(): void {
    const own = attempt;
    ask('/console/facts').then(
      () => {
        if (own === attempt) open();
      },
      () => {
        if (own === attempt) timer = setTimeout(begin, AGAIN_MS);
      },
    );
  }

  function close(): void {
    attempt += 1;
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  document.addEventListener('visibilitychange', open);
  open();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', open);
    close();
  };
}
