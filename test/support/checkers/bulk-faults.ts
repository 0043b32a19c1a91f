import type { JobEvidence } from '../../../judge/evidence/evidence.ts';
import { type RunRecordings, START_MS, ulidOf, type VehicleRecording } from './any-recordings.ts';
import type { PlantedFault } from './change-recordings.ts';

const checker = 'bulk-in-time';
const HOUR_MS = 3_600_000;
type Item = JobEvidence['items'][number];

/** Every way in which the times of a bulk job can be other than promised. The runs end an hour after they began. */
export const BULK_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a job lasts six hours',
    checker,
    plant(history) {
      change(history, ({ createdMs }) => ({ expiresMs: createdMs + 6 * HOUR_MS }));
      return ['does not last 12 h', 'JOB', '6 h'];
    },
  },
  {
    name: 'a vehicle is given up before the end',
    checker,
    plant(history) {
      changeItem(history, 1, { problem: 'no-connection', lastAttemptMs: START_MS + HOUR_MS - 60_000 });
      return ['given up before its time', 'VEH02', '11 h before the end'];
    },
  },
  {
    name: 'an answer tells of a vehicle that is given up before the end',
    checker,
    also: ['one-result-per-vehicle'],
    plant(history) {
      const reason = { type: '/problems/vehicle/no-connection' };
      const item = { id: 'VEH01', status: 'FAILED', reason, attempts: 1 };
      replaceAnswer(history, [item]);
      return ['given up before its time', 'VEH01'];
    },
  },
  {
    name: 'a vehicle is pending after the end',
    checker,
    plant(history) {
      begunEarlier(history, 13);
      pend(history, { attempts: 14, lastAttemptMs: START_MS - 70_000 });
      return ['pending after its end', 'VEH01', '2 h after'];
    },
  },
  {
    name: 'a vehicle is tried after the end',
    checker,
    plant(history) {
      begunEarlier(history, 12);
      changeItem(history, 0, { lastAttemptMs: START_MS + 600_000 });
      return ['tried after its end', 'VEH01', '600 s'];
    },
  },
  {
    name: 'a vehicle is tried more often than its waits allow',
    checker,
    plant(history) {
      // 0, 27, 81, 189, 405, 837, 1,701 and 3,429 s are the earliest times of eight attempts.
      changeItem(history, 0, { attempts: 9, lastAttemptMs: START_MS + HOUR_MS - 60_000 });
      return ['tried too often', 'VEH01', '9 attempts', '8 are the most'];
    },
  },
  {
    name: 'a vehicle is tried less often than its waits say',
    checker,
    plant(history) {
      pend(history, { attempts: 2, lastAttemptMs: START_MS + 30_000 });
      return ['tried too rarely', 'VEH01', '2 attempts'];
    },
  },
  {
    name: 'a vehicle is never tried',
    checker,
    plant(history) {
      pend(history, { attempts: 0 });
      return ['tried too rarely', 'VEH01', '0 attempts'];
    },
  },
  {
    name: 'a vehicle is not tried when its box connects',
    checker,
    plant(history) {
      // The sixth wait is 32 minutes, and the box connects during it.
      pend(history, { attempts: 7, lastAttemptMs: START_MS + 2_000_000 });
      const atMs = START_MS + 2_700_000;
      history.facts.push({ kind: 'connectivity', vehicle: 1, state: 'ready', atMs });
      return ['not tried when its box connected', 'VEH01', '900 s'];
    },
  },
  {
    name: 'a box is asked again without a wait',
    checker,
    plant(history) {
      const asked = askAgain(history, [20_000]);
      return ['tried too early', 'VEH01', asked[0] ?? '', '27 s is the least'];
    },
  },
  {
    name: 'a box is asked again after a wait that has not doubled',
    checker,
    plant(history) {
      const asked = askAgain(history, [30_000, 30_000]);
      return ['tried too early', 'VEH01', asked[1] ?? '', '54 s is the least'];
    },
  },
  {
    name: 'a box is asked again while it is asked, when a backend starts',
    checker,
    plant(history) {
      const asked = askWhileAsked(history, 3_000);
      history.facts.push({ kind: 'service', state: 'up', reason: 'a test', atMs: START_MS });
      return ['asked twice at once', 'VEH01', asked ?? ''];
    },
  },
  {
    name: 'a box is asked after the end of the job',
    checker,
    plant(history) {
      const asked = askAgain(history, [12.1 * HOUR_MS]);
      return ['sent after its end', 'VEH01', asked[0] ?? ''];
    },
  },
];

function change(history: RunRecordings, changed: (job: JobEvidence) => Partial<JobEvidence>): void {
  const [job] = history.jobs;
  if (job !== undefined) history.jobs[0] = { ...job, ...changed(job) };
}

function changeItem(history: RunRecordings, at: number, changed: Partial<Item>): void {
  change(history, ({ items }) => ({
    items: items.map((item, index) => (index === at ? { ...item, ...changed } : item)),
  }));
}

/** The first vehicle is pending, and nobody was told otherwise. */
function pend(history: RunRecordings, { attempts, lastAttemptMs }: Partial<Item>): void {
  history.calls = history.calls.filter(({ path }) => !path.endsWith('/JOB'));
  change(history, ({ items: [first, ...others], counts }) => ({
    status: 'RUNNING',
    items: [
      {
        id: first?.id ?? '',
        status: 'PENDING',
        attempts: attempts ?? 0,
        ...(lastAttemptMs === undefined ? {} : { lastAttemptMs }),
      },
      ...others,
    ],
    counts: { ...counts, pending: 1, applied: counts.applied - 1 },
  }));
}

/** The job was ordered so many hours before the end of the run's first hour. */
function begunEarlier(history: RunRecordings, hours: number): void {
  const createdMs = START_MS - hours * HOUR_MS;
  const expiresMs = createdMs + 12 * HOUR_MS;
  change(history, ({ items }) => ({
    askedMs: createdMs,
    createdMs,
    expiresMs,
    items: items.map((item) => ({ ...item, lastAttemptMs: createdMs })),
  }));
}

function replaceAnswer(history: RunRecordings, items: readonly unknown[]): void {
  history.calls = history.calls.map((call) =>
    call.path.endsWith('/JOB') ? { ...call, body: { id: 'JOB', items } } : call,
  );
}

/** The box of the first vehicle, which nothing else was asked of, is asked again after each of these; the requests. */
export function askAgain(history: RunRecordings, afterMs: readonly number[]): readonly string[] {
  const told = history.vehicles[0] as VehicleRecording;
  history.calls = history.calls.filter(({ vehicle }) => vehicle?.number !== 1);
  told.frames = told.frames.filter(({ message }) => message.kind !== 'command');
  told.acted = [];
  const first = told.frames.find(({ message }) => message.kind === 'configuration');
  if (first?.message.kind !== 'configuration') return [];
  const { message } = first;
  const answered = told.frames.find((one) => one.message.kind === 'reply' && one.atMs >= first.atMs) ?? first;
  let atMs = answered.atMs;
  return afterMs.map((waitMs, index) => {
    const requestId = ulidOf(910_000 + index);
    atMs += waitMs;
    told.frames.push({ ...first, atMs, clockMs: atMs, message: { ...message, requestId } });
    return requestId;
  });
}

/** The box of the first vehicle answers so much later, and is asked again in half of that time; the second request. */
function askWhileAsked(history: RunRecordings, answerMs: number): string | undefined {
  const [requestId] = askAgain(history, [0]);
  const told = history.vehicles[0] as VehicleRecording;
  const second = told.frames.pop();
  const first = told.frames.findIndex(({ message }) => message.kind === 'configuration');
  const frame = told.frames[first];
  if (second === undefined || frame === undefined) return undefined;
  const sentMs = frame.atMs - answerMs;
  told.frames[first] = { ...frame, atMs: sentMs, clockMs: sentMs };
  told.frames.push({ ...second, atMs: sentMs + answerMs / 2, clockMs: sentMs + answerMs / 2 });
  return requestId;
}
