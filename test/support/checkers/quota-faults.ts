import { type RunRecordings, START_MS } from './any-recordings.ts';
import { addCall, type PlantedFault } from './change-recordings.ts';
import { CALLS_PER_MINUTE } from './checker-scope.ts';

const checker = 'quota-holds';
/** The header and problem of a refusal for the quota. */
const REFUSED = { status: 429, problem: '/problems/too-many-requests', retryAfter: '30' };

/** Every way in which a quota, or what a maker tells, can be handled otherwise than by all backends together. */
export const QUOTA_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a client is served one call more than its limit',
    checker,
    plant(history) {
      ask(history, CALLS_PER_MINUTE + 1, {});
      return ['more than its limit', 'operator', `${CALLS_PER_MINUTE + 1} calls`];
    },
  },
  {
    name: 'a client is refused after a few calls',
    checker,
    plant(history) {
      ask(history, CALLS_PER_MINUTE / 2, {});
      ask(history, 1, REFUSED, 1_000);
      return ['refused below its limit', 'operator', `after ${CALLS_PER_MINUTE / 2} calls`];
    },
  },
  {
    name: 'a client is refused in a minute after one with many calls',
    checker,
    plant(history) {
      ask(history, CALLS_PER_MINUTE, {});
      ask(history, 1, REFUSED, 61_500);
      return ['refused below its limit', 'operator', 'after 0 calls'];
    },
  },
  {
    name: 'a refusal does not say when to try again',
    checker,
    plant(history) {
      const { retryAfter: _none, ...refused } = REFUSED;
      const call = addCall(history, { ...refused, path: '/vehicles/VEH01', method: 'GET', as: 'owner' });
      return [`call ${call}`, 'Retry-After is missing'];
    },
  },
  {
    name: 'a refusal says that it is one in an hour',
    checker,
    plant(history) {
      const told = { ...REFUSED, retryAfter: '3600', path: '/vehicles/VEH01', method: 'GET', as: 'owner' };
      return [`call ${addCall(history, told)}`, 'Retry-After 3600'];
    },
  },
  {
    name: "a backend takes a maker's notification for that of somebody else",
    checker: 'notifications-are-taken',
    plant(history) {
      history.notifications = [
        { sentMs: START_MS, answeredMs: START_MS + 50, status: 204 },
        { sentMs: START_MS + 9_000, answeredMs: START_MS + 9_040, status: 401 },
      ];
      return ['a right notification that is refused', '40 ms'];
    },
  },
];

/** So many calls of the operator, one every 10 ms, so long after those of all others and `afterMs`. */
function ask(history: RunRecordings, count: number, answer: object, afterMs = 0): void {
  const firstMs = START_MS + 1_800_000 + afterMs;
  for (let index = 0; index < count; index += 1) {
    const askedMs = firstMs + index * 10;
    const times = { askedMs, answeredMs: askedMs + 5, token: { endsMs: askedMs + 3_600_000 } };
    addCall(history, { method: 'GET', path: '/', as: 'operator', ...times, ...answer });
  }
}
