import type { FrameStreamLine } from '../simulator/control/frame-line.ts';
import { frameStreamLines, type TappedPayload } from '../simulator/control/frame-stream.ts';
import { limits } from './limits.ts';

/** One thing that a test did or saw: a row of its trace. */
export interface TestEvent {
  /** UTC: `2026-01-05T06:00:01.250Z`. */
  readonly at: string;
  readonly what: 'call' | 'control' | 'message' | 'expectation' | 'frame';
  /** `POST /vehicles/ABCD1/commands/lock-central-lock`, or the type of a message. */
  readonly text: string;
  /** The status of an answer with its problem, or why something was refused. */
  readonly result?: string;
  readonly tookMs?: number;
  /** Of a frame: its direction, bytes and fields. */
  readonly body?: unknown;
}

/** A frame, or bytes that are none, between a box and its broker. */
export interface FrameEvent extends TestEvent {
  readonly what: 'frame';
  readonly body: Omit<FrameStreamLine, 'at' | 'title'>;
}

type Request = Pick<TestEvent, 'text' | 'body'> & { readonly what: 'call' | 'control' };

/** What the present test has done and seen, the last events of it. */
export class Recording {
  #events: TestEvent[] = [];
  /** Requests without an answer, and when each was sent. */
  readonly #open = new Map<Request, number>();
  /** What the test may be waiting for. */
  readonly #pending = new Set<Promise<unknown>>();
  /** The last payloads, decoded only for the trace of a failed test. */
  #payloads: (TappedPayload & { readonly boxId: string })[] = [];

  begin(): void {
    this.#events = [];
    this.#payloads = [];
    this.#open.clear();
  }

  add(event: Omit<TestEvent, 'at'>): void {
    this.#events.push({ at: new Date().toISOString(), ...event });
    if (this.#events.length > limits.tracedEvents) this.#events.splice(0, limits.tracedEvents / 2);
  }

  /** A request is sent. The returned function adds it with its result; that of an earlier test is left out. */
  sent(request: Request): (result: string) => void {
    const sinceMs = performance.now();
    this.#open.set(request, sinceMs);
    return (result) => {
      if (!this.#open.delete(request)) return;
      this.add({ ...request, result, tookMs: Math.round(performance.now() - sinceMs) });
    };
  }

  /**
   * The same promise for the test, known while it is pending. Nothing handles its rejection here: a forgotten `await`
   * stays an unhandled rejection.
   */
  tracked<Result>(promise: Promise<Result>): Promise<Result> {
    const given: Promise<Result> = promise.finally(() => this.#pending.delete(given));
    this.#pending.add(given);
    return given;
  }

  /**
   * What is pending may reject without a second, unhandled error: the service stops, or the test has failed before its
   * `await`. A test that does await it gets the error.
   */
  abandonPending(): void {
    for (const promise of this.#pending) promise.catch(() => undefined);
    this.#pending.clear();
  }

  events(): readonly TestEvent[] {
    return this.#events;
  }

  payload(boxId: string, payload: TappedPayload): void {
    // A copy: the bytes of a received payload are a view of the whole chunk that its socket has read.
    this.#payloads.push({ ...payload, bytes: Uint8Array.from(payload.bytes), boxId });
    if (this.#payloads.length > 2 * limits.tracedPayloads) this.#payloads.splice(0, limits.tracedPayloads);
  }

  /** The frames of the last payloads, in their order. */
  frames(): readonly FrameEvent[] {
    return this.#payloads.slice(-limits.tracedPayloads).flatMap(({ boxId, ...payload }) =>
      frameStreamLines(boxId, payload).map(({ at, title, ...body }) => ({
        at,
        what: 'frame' as const,
        text: `${body.direction} box ${boxId}: ${title}`,
        body,
      })),
    );
  }

  /** Whether a call, an action or an expectation of the test names one of these ids. */
  names(ids: readonly string[]): boolean {
    return this.#events.some((event) => event.what !== 'message' && namesOneOf(event, ids));
  }

  /**
   * The last call and the last action that change something (`reads`: or that read) and name one of these ids, or any
   * without ids: a line each, with the result.
   */
  lastRequests(ids: readonly string[] | undefined, { reads = false } = {}): readonly string[] {
    return (['call', 'control'] as const).flatMap((what) => {
      const isWanted = (one: Omit<TestEvent, 'at'>) =>
        one.what === what &&
        (reads || !one.text.startsWith('GET ')) &&
        (ids === undefined || namesOneOf(one, ids));
      const open = [...this.#open].findLast(([request]) => isWanted(request));
      if (open !== undefined) {
        const [request, sinceMs] = open;
        const waitedS = (performance.now() - sinceMs) / 1_000;
        return [requestLine(request, `no answer yet, after ${waitedS.toFixed(1)} s`)];
      }
      const ended = this.#events.findLast(isWanted);
      return ended === undefined ? [] : [requestLine(ended, ended.result ?? '')];
    });
  }
}

/** Whether its path or its body names one of these ids. */
function namesOneOf({ text, body }: Omit<TestEvent, 'at'>, ids: readonly string[]): boolean {
  const inPath = text.split(/[\s/?&=,]/);
  const inBody = body === undefined ? '' : JSON.stringify(body);
  return ids.some((id) => inPath.includes(id) || inBody.includes(JSON.stringify(id)));
}

function requestLine({ what, text, body }: Omit<TestEvent, 'at'>, result: string): string {
  const sent = body === undefined ? '' : ` ${cut(JSON.stringify(body))}`;
  return `last ${what === 'call' ? 'call' : 'action'}: ${text}${sent} → ${cut(result)}`;
}

function cut(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > limits.shownCharacters ? `${line.slice(0, limits.shownCharacters)}…` : line;
}
