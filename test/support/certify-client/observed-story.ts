import type { Observed, ObservedRun } from '../../../judge/client/observed.ts';
import type { ClientFault } from './faults.ts';

type Untimed = Observed extends infer One ? (One extends Observed ? Omit<One, 'atMs'> : never) : never;

/** Writes down what would be seen of a client, with times in milliseconds since the start. */
export class ObservedStory {
  readonly #events: Observed[] = [];
  #lastId = 0;

  at(atMs: number, event: Untimed): this {
    this.#events.push({ ...event, atMs } as Observed);
    return this;
  }

  /** A request that is answered so. */
  call(
    atMs: number,
    path: string,
    answer: {
      readonly status: number;
      readonly problem?: string;
      readonly detail?: string;
      readonly retryAfterS?: number;
    },
    { method = 'POST', tookMs = 20, token = 1 } = {},
  ): this {
    this.#lastId++;
    const id = this.#lastId;
    this.at(atMs, { kind: 'request', id, method, path, token });
    return this.at(atMs + tookMs, { kind: 'answer', id, ...answer });
  }

  /** A token is given out. */
  grant(atMs: number, token: number, lifeS: number): this {
    this.#lastId++;
    const id = this.#lastId;
    this.at(atMs, { kind: 'request', id, method: 'POST', path: '/auth/oauth/token' });
    return this.at(atMs + 5, { kind: 'answer', id, status: 200, issued: { token, lifeS } });
  }

  run(endMs: number): ObservedRun {
    const events = [...this.#events].sort((one, other) => one.atMs - other.atMs);
    return { startMs: 0, endMs, events, answerTimeoutMs: 4_000 };
  }
}

const LOCK = '/vehicles/AAAAA/commands/lock-central-lock';
const UNLOCK = '/vehicles/AAAAA/commands/unlock-central-lock';

/**
 * What would be seen of a client in a minute in which everything happens once; with a fault it does that one thing
 * wrong, and all else right.
 */
export function storyOf(fault?: ClientFault): ObservedRun {
  const story = new ObservedStory();
  tokens(story, fault);
  refusals(story, fault);
  messages(story, fault);
  story.at(50_000, { kind: 'episode', name: 'store-fails', phase: 'end' });
  story.call(55_000, LOCK, { status: fault === 'gives-up' ? 500 : 200 }, { token: 3 });
  return story.run(70_000);
}

function tokens(story: ObservedStory, fault: ClientFault | undefined): void {
  story.grant(0, 1, 20);
  story.call(1_000, UNLOCK, { status: 200 });
  story.call(21_000, LOCK, { status: 401, problem: 'invalid-credentials' });
  story.grant(21_200, 2, 20);
  if (fault === 'keeps-its-token')
    for (const atMs of [21_600, 22_000, 22_400]) story.call(atMs, LOCK, { status: 401 });
  story.grant(42_000, 3, 60);
  if (fault === 'token-for-each-request')
    for (const token of [4, 5, 6, 7, 8, 9, 10, 11]) story.grant(43_000 + token * 100, token, 60);
}

function refusals(story: ObservedStory, fault: ClientFault | undefined): void {
  const token = 2;
  const quota = { status: 429, problem: 'too-many-requests', retryAfterS: 5 };
  story.call(22_500, '/vehicles/BBBBB', quota, { method: 'GET', token });
  if (fault === 'hammers-after-429') story.call(24_000, '/vehicles/BBBBB', quota, { method: 'GET', token });
  const broken = { status: 500, problem: 'internal-server-error' };
  const pauses = fault === 'no-back-off' ? [50, 50, 50] : [500, 1_000, 2_000];
  let atMs = 28_000;
  for (const pauseMs of pauses) {
    story.call(atMs, '/vehicles/CCCCC', broken, { method: 'GET', token });
    atMs += 20 + pauseMs;
  }
  const refused = { status: 409, problem: 'vehicle/command-not-supported' };
  for (const at of fault === 'repeats-refused' ? [33_000, 34_000, 35_000] : [33_000])
    story.call(at, '/vehicles/DDDDD/commands/unlock-top-case', refused, { token });
  const moving = { status: 409, problem: 'vehicle/conflicting-state' };
  for (const at of fault === 'hammers-conflicts' ? [34_000, 34_100, 34_200] : [34_000, 36_000])
    story.call(at, '/vehicles/EEEEE/commands/lock-central-lock', moving, { token });
  const silent = { status: 504, problem: 'vehicle/no-connection', detail: 'The vehicle did not answer.' };
  const command = '/vehicles/FFFFF/commands/lock-central-lock';
  story.call(32_000, command, silent, { token, tookMs: 4_000 });
  if (fault !== 'repeats-after-504')
    story.call(37_000, '/vehicles/FFFFF', { status: 200 }, { method: 'GET', token });
  story.call(38_000, command, { status: 200 }, { token, tookMs: 2_000 });
  if (fault === 'hangs-up') story.call(38_500, command, { status: 409 }, { token });
}

function messages(story: ObservedStory, fault: ClientFault | undefined): void {
  const prefetch = fault === 'no-prefetch' ? 0 : 20;
  const isWithoutAcks = fault === 'consumes-without-acks';
  const consume = (atMs: number, connection: number) =>
    story
      .at(atMs, { kind: 'connected', connection, isRefused: false })
      .at(atMs + 10, { kind: 'subscribed', connection, queue: 'q', isWithoutAcks, prefetch });
  consume(500, 1);
  const deliver = (atMs: number, delivery: number, messageId: string, lockedMs: number) => {
    const connection = 1;
    const recorded = { central_lock: lockedMs };
    story.at(atMs, {
      kind: 'delivered',
      connection,
      delivery,
      messageId,
      vehicleId: 'AAAAA',
      isWithoutAcks,
      recorded,
    });
  };
  const store = (atMs: number, messageId: string, lockedMs: number) =>
    story.at(atMs, { kind: 'stored', messageId, held: { central_lock: lockedMs } });
  const settle = (atMs: number, delivery: number) => {
    if (!isWithoutAcks) story.at(atMs, { kind: 'settled', delivery, how: 'acknowledged' });
  };
  deliver(2_000, 1, 'newer', 1_500);
  store(fault === 'acknowledges-first' ? 2_300 : 2_100, 'newer', 1_500);
  settle(2_200, 1);
  deliver(3_000, 2, 'older', 1_000);
  store(3_100, 'older', fault === 'takes-the-last' ? 1_000 : 1_500);
  settle(3_200, 2);
  deliver(4_000, 3, 'older', 1_000);
  if (fault === 'counts-twice') store(4_100, 'older', 1_500);
  if (fault !== 'forgets-to-acknowledge') settle(4_200, 3);
  story.at(26_000, { kind: 'episode', name: 'broker-away', phase: 'begin' });
  story.at(26_010, { kind: 'disconnected', connection: 1, isCut: true });
  const tries = fault === 'connects-at-once' ? [26_050, 26_080, 26_110] : [26_600, 27_700, 29_900];
  for (const [index, atMs] of tries.entries())
    story.at(atMs, { kind: 'connected', connection: 2 + index, isRefused: true });
  story.at(31_000, { kind: 'episode', name: 'broker-away', phase: 'end' });
  if (fault !== 'stays-away') consume(32_000, 9);
}
