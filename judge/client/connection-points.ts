import { SUBSCRIPTIONS_PATH } from '../../contract/operation.ts';
import { type Finding, failed, notSeen, passed } from '../verdict.ts';
import { evidenceOf } from './evidence.ts';
import { limits } from './limits.ts';
import { callsOf, isTokenCall, type ObservedOf, type ObservedRun, ofKind } from './observed.ts';
import {
  countText,
  episodeTimes,
  firstDoneMs,
  isHammering,
  type Point,
  pausesText,
  secondsText,
} from './point.ts';

/** The episode in which the AMQP broker is away. */
export const BROKER_AWAY = 'broker-away';

/** How a client handles ended connections, and faults that have ended. */
export const CONNECTION_POINTS = [
  {
    name: 'amqp-back-off',
    about: 'While the AMQP broker is away it tries to connect after pauses that grow.',
    judge(run) {
      const rows = episodeTimes(run, BROKER_AWAY).map(({ fromMs, toMs }) =>
        ofKind(run.events, 'connected').filter(
          ({ atMs, isRefused }) => isRefused && atMs >= fromMs && atMs <= toMs + limits.underWayMs,
        ),
      );
      const tried = rows.filter(({ length }) => length > 0);
      if (tried.length === 0) return notSeen('It has not tried to connect while the broker was away.');
      const worst = tried.find((row) => isHammering(pausesBetween(row)));
      if (worst !== undefined)
        return failed(
          `It tried again after ${pausesText(pausesBetween(worst))}.`,
          worst.map(({ atMs }) => ({ atMs, text: 'AMQP connection refused' })),
        );
      const most = Math.max(...tried.map(({ length }) => length));
      const [row = []] = tried.filter(({ length }) => length === most);
      return passed(
        most === 1
          ? 'It tried once while the broker was away.'
          : `It tried ${countText(most, 'time')}, after ${pausesText(pausesBetween(row))}.`,
      );
    },
  },
  {
    name: 'amqp-return',
    about: `Once the AMQP broker is back, it consumes again within ${limits.returnMs / 1_000} s.`,
    judge(run) {
      const subscribed = ofKind(run.events, 'subscribed');
      const returns: Finding[] = [];
      for (const { fromMs, toMs } of episodeTimes(run, BROKER_AWAY)) {
        if (!subscribed.some(({ atMs }) => atMs < fromMs)) continue;
        const back = subscribed.find(({ atMs }) => atMs > fromMs);
        const late = (back?.atMs ?? run.endMs) - toMs;
        if (late > limits.returnMs || (back === undefined && late > limits.returnMs / 2))
          return failed(
            back === undefined
              ? `It has not consumed again in the ${secondsText(late)} after the broker was back.`
              : `It consumed again only ${secondsText(late)} after the broker was back.`,
            [{ atMs: toMs, text: 'the AMQP broker is back' }],
          );
        if (back !== undefined)
          returns.push({ atMs: back.atMs, text: `consumes again, ${secondsText(Math.max(0, late))} later` });
      }
      if (returns.length === 0) return notSeen('It was not consuming when the broker went away.');
      return passed(`It was back ${countText(returns.length, 'time')}.`, returns);
    },
  },
  {
    name: 'recovers',
    about:
      'After all faults are over its requests succeed again, and it acknowledges messages again. Of one that asks as it begins, and from then on for its subscription at most, its acknowledgements count.',
    judge(run) {
      const ended = ofKind(run.events, 'ended')[0];
      if (ended !== undefined)
        return failed(`The command has ended (${ended.code}) before the run was over.`, [
          { atMs: ended.atMs, text: 'the client is gone' },
        ]);
      if (firstDoneMs(run.events) === undefined)
        return failed('It has made no request and has not connected to the AMQP broker.', []);
      const sinceMs = calmSinceMs(run);
      const calls = callsOf(run.events).filter((call) => !isTokenCall(call));
      const later = calls.filter(({ answer }) => answer !== undefined && answer.atMs > sinceMs);
      const right = later.filter(({ answer }) => (answer?.status ?? 500) < 300);
      const messages = ofKind(run.events, 'delivered').filter(
        (one) => one.atMs > sinceMs && one.atMs < run.endMs - limits.steadyPauseMs * 2 && !one.isWithoutAcks,
      );
      const settled = new Set(ofKind(run.events, 'settled').map(({ delivery }) => delivery));
      // A client that asks at its start, and consumes from then on, need only ask for the state of its subscription.
      const consumesAlone =
        settled.size > 0 &&
        calls.every(({ atMs, path }) => atMs < disturbedMs(run) || path.startsWith(SUBSCRIPTIONS_PATH));
      if (consumesAlone && messages.length === 0)
        return notSeen('It consumes alone, and no message came to it after the last fault.');
      if (calls.length > 0 && right.length === 0 && !consumesAlone)
        return failed(
          later.length === 0
            ? 'It has made no request after the last fault.'
            : `None of ${countText(later.length, 'request')} after the last fault has succeeded.`,
          evidenceOf(later.slice(0, limits.evidence)),
        );
      const open = messages.filter(({ delivery }) => !settled.has(delivery));
      // A client that never acknowledges has not stopped acknowledging.
      if (settled.size > 0 && messages.length > 0 && open.length === messages.length)
        return failed(
          'It has acknowledged no message after the last fault.',
          open.map(({ atMs, messageId }) => ({ atMs, text: `message ${messageId} was not acknowledged` })),
        );
      return passed(
        `After the last fault ${countText(right.length, 'request')} succeeded, and ${countText(messages.length - open.length, 'message')} came in.`,
      );
    },
  },
] as const satisfies readonly Point[];

function pausesBetween(row: readonly ObservedOf<'connected'>[]): readonly number[] {
  return row.slice(1).map(({ atMs }, index) => atMs - (row[index]?.atMs ?? atMs));
}

/** The begin of the first episode with a fault, or the start if there was none. */
function disturbedMs({ events, startMs }: ObservedRun): number {
  const begins = ofKind(events, 'episode').filter(({ phase }) => phase === 'begin');
  return begins.find(({ name }) => name !== 'calm')?.atMs ?? startMs;
}

/** The end of the last episode, or the start if there was none. */
function calmSinceMs({ events, startMs }: ObservedRun): number {
  return ofKind(events, 'episode').at(-1)?.atMs ?? startMs;
}
