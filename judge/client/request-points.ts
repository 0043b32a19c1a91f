import { failed, notSeen, passed } from '../verdict.ts';
import { evidenceOf } from './evidence.ts';
import { limits } from './limits.ts';
import {
  type AnsweredCall,
  type Call,
  callsOf,
  chainsOf,
  commandOf,
  isAnswered,
  isChanging,
  isTokenCall,
  type ObservedRun,
  ofKind,
  pausesOf,
} from './observed.ts';
import { countText, isHammering, type Point, pausesText } from './point.ts';

/** Refusals with 409 that persist until the vehicle is changed. */
const LASTING_CONFLICTS: ReadonlySet<string> = new Set([
  'vehicle/command-not-supported',
  'vehicle/shared-with-partner',
  'incompatible-firmware-version',
  'incompatible-installation-variant',
  'incompatible-telematics-unit-model',
  'resource-conflict',
]);

const HOPELESS_STATUSES: ReadonlySet<number> = new Set([403, 404, 405, 413, 415]);

/** The same request is refused in the same way. Not 400: the next body may be another one. */
const isHopeless = ({ answer: { status, problem } }: AnsweredCall): boolean =>
  HOPELESS_STATUSES.has(status) || (status === 409 && LASTING_CONFLICTS.has(problem ?? ''));
const isPassing = (call: AnsweredCall): boolean => call.answer.status === 409 && !isHopeless(call);
const isBroken = ({ answer: { status } }: AnsweredCall): boolean => status >= 500;

const isOpenEnded = (call: Call): call is AnsweredCall =>
  isChanging(call) && isAnswered(call, 504) && /did not answer/.test(call.answer.detail ?? '');

const apiCallsOf = ({ events }: ObservedRun): readonly Call[] =>
  callsOf(events).filter((call) => !isTokenCall(call));

/** What a client does after unsuccessful answers. */
export const REQUEST_POINTS = [
  {
    name: 'retry-after',
    about: 'After a 429 it makes no request before the time of Retry-After has passed.',
    judge(run) {
      const calls = apiCallsOf(run);
      const refused = calls.filter((call): call is AnsweredCall => isAnswered(call, 429));
      const [first] = refused;
      if (first === undefined) return notSeen('No request of it was answered with 429.');
      const waits = refused.map(({ answer }) => ({
        fromMs: answer.atMs,
        untilMs: answer.atMs + (answer.retryAfterS ?? 0) * 1_000 - limits.earlyMs,
      }));
      // Retry-After is in whole seconds: the second of two refusals may allow an earlier retry than the first.
      const early = calls.filter(({ atMs }) =>
        waits.some(
          ({ fromMs, untilMs }) =>
            atMs > fromMs + limits.underWayMs &&
            atMs < untilMs &&
            !waits.some((other) => other.fromMs >= fromMs && other.fromMs <= atMs && other.untilMs <= atMs),
        ),
      );
      const wait = `${first.answer.retryAfterS ?? 0} s`;
      if (early.length > 0)
        return failed(
          `It had to wait ${wait}, and made ${countText(early.length, 'request')} before.`,
          evidenceOf([first, ...early]),
        );
      return passed(`It had to wait ${wait}, and made no request before.`, evidenceOf(refused));
    },
  },
  {
    name: 'back-off',
    about: 'What failed with 5xx it tries again after pauses that grow.',
    judge(run) {
      const chains = chainsOf(apiCallsOf(run), isBroken, limits.repetitionMs);
      if (chains.length === 0) return notSeen('No request of it failed with 5xx.');
      const repeated = chains.filter((chain) => chain.length > 1);
      const worst = repeated.find((chain) => isHammering(pausesOf(chain)));
      if (worst !== undefined)
        return failed(`The same request came again after ${pausesText(pausesOf(worst))}.`, evidenceOf(worst));
      const [longest] = [...repeated].sort((one, other) => other.length - one.length);
      if (longest === undefined)
        return passed(`${countText(chains.length, 'request')} failed, and none came again at once.`);
      return passed(
        `${countText(repeated.length, 'failed request')} came again; the longest row after ${pausesText(pausesOf(longest))}.`,
        evidenceOf(longest),
      );
    },
  },
  {
    name: 'no-hopeless-retry',
    about: 'What is refused for good, such as a command that a vehicle does not have, it does not try again.',
    judge(run) {
      const chains = chainsOf(apiCallsOf(run), isHopeless, limits.repetitionMs);
      if (chains.length === 0) return notSeen('No request of it was refused for good.');
      const worst = chains.find((chain) => chain.length > limits.hopelessTries);
      if (worst !== undefined)
        return failed(
          `The same request was made ${countText(worst.length, 'time')} in a row, and refused for good.`,
          evidenceOf(worst),
        );
      return passed(
        `${countText(chains.length, 'request')} refused for good, and none tried on.`,
        evidenceOf(chains.map(([first]) => first).filter((call) => call !== undefined)),
      );
    },
  },
  {
    name: 'waits-for-conflicts',
    about: 'What a conflict refuses (409) that will pass, it tries again after pauses, and not for ever.',
    judge(run) {
      const chains = chainsOf(apiCallsOf(run), isPassing, limits.repetitionMs);
      if (chains.length === 0) return notSeen('No request of it met a conflict that passes.');
      const worst = chains.find((chain) => {
        const pauses = pausesOf(chain);
        const quick = pauses.filter((pauseMs) => pauseMs < limits.conflictQuickMs);
        return (
          pauses.some((pauseMs) => pauseMs < limits.conflictPauseMs) || quick.length >= limits.conflictTries
        );
      });
      if (worst !== undefined)
        return failed(`The same request came again after ${pausesText(pausesOf(worst))}.`, evidenceOf(worst));
      return passed(
        `${countText(chains.length, 'conflict')}, and ${countText(chains.filter(({ length }) => length > 1).length, 'request')} tried again later.`,
        evidenceOf(chains.map(([first]) => first).filter((call) => call !== undefined)),
      );
    },
  },
  {
    name: 'looks-after-504',
    about:
      'After a 504 of a box that did not answer, whose command may have been carried out, it looks at the vehicle before it sends that command again.',
    judge(run) {
      const calls = apiCallsOf(run);
      const unknown = calls.filter(isOpenEnded);
      if (unknown.length === 0) return notSeen('No command of it was answered with 504, did not answer.');
      for (const call of unknown) {
        const next = blindRepetition(run, calls, call, call.answer.atMs);
        if (next !== undefined)
          return failed(
            'It sent the command again, and had not looked at the vehicle.',
            evidenceOf([call, next]),
          );
      }
      return passed(
        `${countText(unknown.length, 'command')} of unknown outcome, and none was sent again blindly.`,
        evidenceOf(unknown),
      );
    },
  },
  {
    name: 'patience',
    about: 'It waits for the answer of a slow command, and does not send it a second time meanwhile.',
    judge(run) {
      const calls = apiCallsOf(run);
      const slow = calls.filter((call) => isChanging(call) && lengthMs(call, run) >= limits.slowCommandMs);
      const abandoned = calls.filter((call) => isChanging(call) && call.abandonedMs !== undefined);
      for (const call of calls.filter(isChanging)) {
        const overMs = call.answer?.atMs ?? call.abandonedMs ?? run.endMs;
        const again =
          calls.find(
            ({ id, method, path, atMs }) =>
              id > call.id &&
              method === call.method &&
              path === call.path &&
              atMs >= call.atMs &&
              atMs < overMs - limits.underWayMs,
          ) ?? (call.abandonedMs === undefined ? undefined : blindRepetition(run, calls, call, overMs));
        if (again !== undefined)
          return failed(
            'It sent a command again before it knew what had become of the first.',
            evidenceOf([call, again]),
          );
      }
      if (slow.length + abandoned.length === 0)
        return notSeen(`No command of it took longer than ${limits.slowCommandMs / 1_000} s.`);
      return passed(
        `${countText(slow.length, 'slow command')}, and none was sent a second time meanwhile.`,
        evidenceOf(slow),
      );
    },
  },
] as const satisfies readonly Point[];

function lengthMs(call: Call, { endMs }: ObservedRun): number {
  return (call.answer?.atMs ?? call.abandonedMs ?? endMs) - call.atMs;
}

/**
 * The same command again, although the client has received no news of the vehicle since, and has sent it no other.
 * Undefined: there is none.
 */
function blindRepetition(
  { events, answerTimeoutMs }: ObservedRun,
  calls: readonly Call[],
  call: Call,
  sinceMs: number,
): Call | undefined {
  const next = calls.find(
    ({ id, method, path, atMs }) =>
      id !== call.id && method === call.method && path === call.path && atMs >= sinceMs,
  );
  const vehicleId = commandOf(call)?.vehicleId;
  // Much later it is a new intent.
  if (next === undefined || next.atMs - sinceMs > limits.repetitionMs + answerTimeoutMs) return undefined;
  const isBetween = (atMs: number) => atMs >= sinceMs && atMs <= next.atMs;
  const hasLooked = calls.some(
    (one) => isAnswered(one, 200) && isBetween(one.answer.atMs) && isLookAt(one, vehicleId),
  );
  const hasHeard = ofKind(events, 'delivered').some(
    (one) => one.vehicleId === vehicleId && isBetween(one.atMs),
  );
  const hasOther = calls.some(
    (one) =>
      one.path !== call.path &&
      isBetween(one.atMs) &&
      isChanging(one) &&
      commandOf(one)?.vehicleId === vehicleId,
  );
  return hasLooked || hasHeard || hasOther ? undefined : next;
}

/** Whether its answer contains the vehicle's state. */
function isLookAt(call: Call, vehicleId: string | undefined): boolean {
  const isRead =
    call.method === 'GET' && (call.path === '/vehicles' || call.path === `/vehicles/${vehicleId}`);
  return isRead || commandOf(call)?.vehicleId === vehicleId;
}
