import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** A file of the page: these tests have no types of a browser. */
const pageFile = (path: string): Promise<unknown> =>
  import(new URL(`../../../../console/page/${path}`, import.meta.url).href);
const { listenTo } = (await pageFile('state/event-stream.ts')) as {
  listenTo(parts: { readonly path: string; readonly events: object; lost(): void }): () => void;
};
const { loadZones } = (await pageFile('state/zones.ts')) as { loadZones(): Promise<void> };

/** The browser's streams, as far as the page uses them. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 0;

  constructor() {
    super();
    FakeSource.all.push(this);
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }

  /** The server refuses it: the browser gives it up. */
  fail(): void {
    this.readyState = FakeSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

const openSources = () => FakeSource.all.filter(({ readyState }) => readyState !== FakeSource.CLOSED);

/** A document that can be hidden, and a server whose answers wait until the test lets them go. */
class FakeDocument extends EventTarget {
  visibilityState = 'visible';

  show(isSeen: boolean): void {
    this.visibilityState = isSeen ? 'visible' : 'hidden';
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let page: FakeDocument;
let answers: ((answer: Response) => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakeDocument();
  answers = [];
  FakeSource.all = [];
  vi.stubGlobal('document', page);
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** All questions so far are answered. */
async function answerAll(body: unknown = {}): Promise<number> {
  const waiting = answers.splice(0);
  for (const answer of waiting) answer(Response.json(body));
  await vi.advanceTimersByTimeAsync(0);
  return waiting.length;
}

test('a page that is hidden and seen again while its stream is opened anew has one stream, and ends it', async () => {
  const stop = listenTo({ path: '/console/fleet', events: {}, lost: () => undefined });
  FakeSource.all[0]?.fail();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(1);
  page.show(false);
  page.show(true);
  await answerAll();
  expect(openSources()).toHaveLength(1);
  stop();
  expect(openSources()).toEqual([]);
});

test('a stream that was stopped while it was opened anew stays closed, and asks for nothing more', async () => {
  const stop = listenTo({ path: '/console/fleet', events: {}, lost: () => undefined });
  FakeSource.all[0]?.fail();
  await vi.advanceTimersByTimeAsync(1_000);
  stop();
  await answerAll();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([openSources().length, answers.length]).toEqual([0, 0]);
});

test('two concurrent loads of the zones poll as one', async () => {
  const zone = { id: '1', shape: { around: { latitude: 0, longitude: 0 }, radiusM: 1 }, boxes: [] };
  const both = Promise.all([loadZones(), loadZones()]);
  await answerAll([zone]);
  await both;
  // The first look of each that goes on.
  await answerAll([zone]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(1);
  await answerAll([]);
});
