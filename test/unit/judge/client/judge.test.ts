import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { certificateJson, certificateLines } from '../../../../judge/client/certificate.ts';
import { EPISODES, roundOf } from '../../../../judge/client/episodes.ts';
import { judgeClient } from '../../../../judge/client/judge.ts';
import type { Observed } from '../../../../judge/client/observed.ts';
import { POINT_NAMES } from '../../../../judge/client/points.ts';
import { certificateJunit } from '../../../../scenarios/reports/certificate-junit.ts';
import { CLIENT_FAULT_NAMES, CLIENT_FAULTS } from '../../../support/certify-client/faults.ts';
import { ObservedStory, storyOf } from '../../../support/certify-client/observed-story.ts';

const namesOf = (run: Parameters<typeof judgeClient>[0], verdict: string): readonly string[] =>
  judgeClient(run)
    .filter(({ result }) => result === verdict)
    .map(({ name }) => name);
const verdictOf = (run: Parameters<typeof judgeClient>[0], name: string): string | undefined =>
  judgeClient(run).find((point) => point.name === name)?.result;

describe('the judge of clients', () => {
  test('passes a client that does all of it right on every point', () => {
    expect(judgeClient(storyOf()).filter(({ result }) => result !== 'passed')).toEqual([]);
  });

  for (const fault of CLIENT_FAULT_NAMES)
    test(`finds ${fault} by ${CLIENT_FAULTS[fault]} alone`, () => {
      expect(namesOf(storyOf(fault), 'failed')).toEqual([CLIENT_FAULTS[fault]]);
    });

  test('does not judge a client by an answer that comes after it has hung up', () => {
    const command = '/vehicles/AAAAA/commands/unlock-central-lock';
    const conflict = { status: 409, problem: 'vehicle/conflicting-state' };
    const twice = (hangsUp: boolean): ReturnType<ObservedStory['run']> => {
      const story = new ObservedStory().call(1_000, command, conflict, { tookMs: 1_300 });
      if (hangsUp) story.at(2_000, { kind: 'abandoned', id: 1 });
      return story.call(2_700, command, { status: 200 }).run(9_000);
    };
    expect(verdictOf(twice(false), 'waits-for-conflicts')).toBe('failed');
    expect(verdictOf(twice(true), 'waits-for-conflicts')).toBe('not-seen');
    expect(verdictOf(twice(true), 'patience')).toBe('failed');
  });

  test('has seen nothing of a client that was not there, and fails it', () => {
    const run = new ObservedStory().run(60_000);
    expect(namesOf(run, 'failed')).toEqual(['recovers']);
    expect(namesOf(run, 'passed')).toEqual([]);
  });

  const delivered = (delivery: number) => ({
    kind: 'delivered' as const,
    connection: 1,
    delivery,
    messageId: `M${delivery}`,
    vehicleId: 'AAAAA',
    isWithoutAcks: false,
    recorded: {},
  });
  const consumer = () =>
    new ObservedStory()
      .at(0, { kind: 'episode', name: 'calm', phase: 'begin' })
      .call(500, '/message-subscriptions', { status: 201 })
      .at(2_000, delivered(1))
      .at(2_010, { kind: 'settled', delivery: 1, how: 'acknowledged' })
      .at(3_000, { kind: 'episode', name: 'calm', phase: 'end' })
      .at(3_500, { kind: 'episode', name: 'broker-away', phase: 'begin' })
      .at(9_000, { kind: 'episode', name: 'broker-away', phase: 'end' });
  const afterwards = (story: ObservedStory, isSettled: boolean) => {
    story.at(10_000, delivered(2));
    return isSettled ? story.at(10_010, { kind: 'settled', delivery: 2, how: 'acknowledged' }) : story;
  };

  test('a client that asks as it begins and consumes from then on has recovered by its acknowledgements', () => {
    expect(verdictOf(afterwards(consumer(), true).run(20_000), 'recovers')).toBe('passed');
    expect(verdictOf(afterwards(consumer(), false).run(20_000), 'recovers')).toBe('failed');
    expect(verdictOf(consumer().run(20_000), 'recovers')).toBe('not-seen');
  });

  test('a client that asks what became of its subscription while the broker is away only consumes, too', () => {
    const asked = () => consumer().call(5_000, '/message-subscriptions', { status: 200 }, { method: 'GET' });
    expect(verdictOf(afterwards(asked(), true).run(20_000), 'recovers')).toBe('passed');
    expect(verdictOf(afterwards(asked(), false).run(20_000), 'recovers')).toBe('failed');
  });

  test('a client that asked while something was wrong, and asks no more, has not recovered', () => {
    const asked = consumer().call(5_000, '/vehicles', { status: 500 }, { method: 'GET' });
    expect(verdictOf(afterwards(asked, true).run(20_000), 'recovers')).toBe('failed');
  });

  test('says which points it was asked for alone', () => {
    expect(judgeClient(storyOf(), ['prefetch', 'retry-after']).map(({ name }) => name)).toEqual([
      'retry-after',
      'prefetch',
    ]);
  });

  test('fails a client whose command ended during the run', () => {
    const run = new ObservedStory().at(900, { kind: 'ended', code: 1 }).run(1_000);
    expect(judgeClient(run, ['recovers'])).toMatchObject([{ result: 'failed', text: /ended \(1\)/ }]);
  });

  test('does not take a command that was sent on purpose for a blind repetition', () => {
    const silent = { status: 504, detail: 'The vehicle did not answer.' };
    const [lock, unlock] = [
      '/vehicles/A/commands/lock-central-lock',
      '/vehicles/A/commands/unlock-central-lock',
    ];
    const run = new ObservedStory()
      .call(0, lock, silent, { tookMs: 4_000 })
      .call(5_000, unlock, { status: 200 })
      .call(6_000, lock, { status: 200 })
      .run(10_000);
    expect(verdictOf(run, 'looks-after-504')).toBe('passed');
  });

  test('takes a state that came by message for a look at the vehicle', () => {
    const lock = '/vehicles/A/commands/lock-central-lock';
    const silent = { status: 504, detail: 'The vehicle did not answer.' };
    const story = new ObservedStory().call(0, lock, silent, { tookMs: 4_000 });
    const delivered = { connection: 1, delivery: 1, messageId: 'm', isWithoutAcks: false, recorded: {} };
    story.at(4_500, { kind: 'delivered', vehicleId: 'A', ...delivered });
    expect(verdictOf(story.call(5_000, lock, { status: 200 }).run(9_000), 'looks-after-504')).toBe('passed');
  });

  test('holds whoever waits as long as Retry-After says for patient, and whoever does not for hasty', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 0, max: 70_000 }), (waitS, laterMs) => {
        const run = new ObservedStory()
          .call(0, '/vehicles', { status: 429, retryAfterS: waitS }, { method: 'GET' })
          .call(20 + laterMs, '/vehicles/A', { status: 200 }, { method: 'GET' })
          .run(100_000);
        // What was under way, and what two clocks differ by, is left open.
        fc.pre(Math.abs(laterMs - waitS * 1_000 + 200) > 50 && laterMs > 550);
        expect(verdictOf(run, 'retry-after')).toBe(laterMs < waitS * 1_000 - 200 ? 'failed' : 'passed');
      }),
    );
  });

  test('never takes pauses that double for hammering', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 250, max: 2_000 }),
        fc.integer({ min: 1, max: 5 }),
        (firstMs, repeats) => {
          const story = new ObservedStory();
          let atMs = 0;
          for (let attempt = 0; attempt <= repeats; attempt++) {
            story.call(atMs, '/vehicles/A', { status: 503 }, { method: 'GET' });
            atMs += 20 + firstMs * 2 ** attempt;
          }
          expect(verdictOf(story.run(atMs), 'back-off')).toBe('passed');
        },
      ),
    );
  });

  test('comes to a verdict with a reason whatever was seen, and tells it in every form', () => {
    fc.assert(
      fc.property(fc.array(anyObserved(), { maxLength: 60 }), (events) => {
        const sorted = [...events].sort((one, other) => one.atMs - other.atMs);
        const run = { startMs: 0, endMs: 60_000, answerTimeoutMs: 4_000, events: sorted };
        const points = judgeClient(run);
        expect(points.map(({ name }) => name)).toEqual(POINT_NAMES);
        for (const point of points) expect(point.text).toMatch(/\.$/);
        const certificate = { seed: 1, run, points, droppedEvents: 0 };
        const lines = certificateLines(certificate, { mark: (_, word) => word, clean: (text) => text });
        expect(lines.length).toBeGreaterThan(points.length);
        expect(JSON.parse(JSON.stringify(certificateJson(certificate)))).toMatchObject({ seed: 1 });
        expect(certificateJunit(certificate)).toContain('<testsuite');
      }),
    );
  });
});

describe('the episodes', () => {
  test('serve every point, and none that there is not', () => {
    const served = new Set(EPISODES.flatMap(({ serves }) => serves));
    expect(served).toEqual(new Set(POINT_NAMES));
  });

  test('come in an order that is drawn, the calm one first, each of them once', () => {
    const order = (numbers: readonly number[]) => {
      let index = 0;
      return roundOf(undefined, () => numbers[index++ % numbers.length] ?? 0);
    };
    const [one, other] = [order([0.1, 0.9, 0.5]), order([0.9, 0.1, 0.2])];
    expect(one.inTurn[0]?.name).toBe('calm');
    expect(one.inTurn).not.toEqual(other.inTurn);
    const names = [...one.inTurn, ...one.byQuota].map(({ name }) => name);
    expect(names).toHaveLength(EPISODES.length);
    expect(new Set(names)).toEqual(new Set(EPISODES.map(({ name }) => name)));
  });

  test('are those alone that a point needs', () => {
    const { inTurn, byQuota } = roundOf(['disorder'], () => 0);
    expect(inTurn.map(({ name }) => name)).toEqual(['calm', 'late-records']);
    expect(byQuota).toEqual([]);
  });
});

/** Any event of a run; ids and names are few, so that they meet. */
function anyObserved(): fc.Arbitrary<Observed> {
  const atMs = fc.integer({ min: 0, max: 60_000 });
  const few = fc.integer({ min: 1, max: 4 });
  const path = fc.constantFrom(
    '/vehicles',
    '/vehicles/A',
    '/vehicles/A/commands/lock-central-lock',
    '/auth/oauth/token',
  );
  const recorded = fc.dictionary(fc.constantFrom('central_lock', 'position'), atMs);
  const status = fc.constantFrom(200, 204, 401, 403, 409, 429, 500, 504);
  return fc.oneof(
    fc.record({
      kind: fc.constant('request'),
      atMs,
      id: few,
      method: fc.constantFrom('GET', 'POST'),
      path,
      token: few,
    }),
    fc.record({
      kind: fc.constant('answer'),
      atMs,
      id: few,
      status,
      detail: fc.constantFrom('It did not answer.', undefined),
      retryAfterS: few,
      issued: fc.option(fc.record({ token: few, lifeS: few }), { nil: undefined }),
    }),
    fc.record({ kind: fc.constant('abandoned'), atMs, id: few }),
    fc.record({ kind: fc.constant('connected'), atMs, connection: few, isRefused: fc.boolean() }),
    fc.record({ kind: fc.constant('disconnected'), atMs, connection: few, isCut: fc.boolean() }),
    fc.record({
      kind: fc.constant('subscribed'),
      atMs,
      connection: few,
      queue: fc.string(),
      isWithoutAcks: fc.boolean(),
      prefetch: fc.nat(100),
    }),
    fc.record({
      kind: fc.constant('delivered'),
      atMs,
      connection: few,
      delivery: few,
      messageId: fc.constantFrom('a', 'b'),
      vehicleId: fc.constant('A'),
      isWithoutAcks: fc.boolean(),
      recorded,
    }),
    fc.record({
      kind: fc.constant('settled'),
      atMs,
      delivery: few,
      how: fc.constantFrom('acknowledged', 'rejected', 'requeued'),
    }),
    fc.record({ kind: fc.constant('stored'), atMs, messageId: fc.constantFrom('a', 'b'), held: recorded }),
    fc.record({
      kind: fc.constant('episode'),
      atMs,
      name: fc.constantFrom('broker-away', 'calm'),
      phase: fc.constantFrom('begin', 'end'),
    }),
    fc.record({ kind: fc.constant('ended'), atMs, code: few }),
  ) as fc.Arbitrary<Observed>;
}
