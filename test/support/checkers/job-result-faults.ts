import { BULK_PATH } from '../../../contract/operation.ts';
import type { JobEvidence } from '../../../judge/evidence/evidence.ts';
import { type RunRecordings, START_MS, type VehicleRecording } from './any-recordings.ts';
import { addCall, type PlantedFault } from './change-recordings.ts';

/** Every way in which the result of a bulk job for one vehicle can be other than what became of it. */
export const JOB_RESULT_FAULTS: readonly PlantedFault[] = [
  jobOfOne('a vehicle of a job fails for what passes', 'conflicting-command', 'which passes'),
  jobOfOne(
    'a vehicle of a job fails for equipment that it has',
    'incompatible-telematics-unit-model',
    'can have all of it',
  ),
  jobOfOne('a vehicle of a job is overtaken by nothing', 'conflicting-operation', 'nothing came later'),
  {
    name: 'a vehicle of a job is overtaken by a configuration that was refused',
    checker: 'one-result-per-vehicle',
    // Nothing else was being carried out.
    also: ['guards-hold'],
    plant(history) {
      const { features } = onlyJob(history, 'conflicting-operation');
      const [feature] = Object.keys(features);
      addCall(history, {
        method: 'PUT',
        vehicle: first(history).vehicle,
        status: 409,
        path: `/vehicles/VEH01/telematics-unit/feature-configuration/${feature}`,
        problem: '/problems/conflicting-operation',
        detail: 'Another command is being carried out.',
        askedMs: START_MS + 300_000,
        answeredMs: START_MS + 300_100,
      });
      nothingInForce(history);
      return ['nothing came later', 'VEH01'];
    },
  },
  {
    name: 'a vehicle of a job is said to be shared with its fleet, and never was',
    checker: 'one-result-per-vehicle',
    plant(history) {
      onlyJob(history, 'shared-with-partner');
      const made = history.calls.pop();
      if (made !== undefined) history.calls.push({ ...made, as: 'partner' });
      nothingInForce(history);
      return ['of another fleet, and FAILED shared-with-partner', 'VEH01'];
    },
  },
  jobOfOne('a vehicle of a job is not found and is there', 'resource-not-found', 'is there'),
  {
    name: 'a vehicle of a job is pending though a later one has a feature of it',
    checker: 'one-result-per-vehicle',
    plant(history) {
      const job = onlyJob(history, 'conflicting-operation');
      const features = { tracking: {}, 'parking-events': {} };
      history.jobs[0] = { ...job, features };
      const times = { askedMs: START_MS + 60_000, answeredMs: START_MS + 60_100 };
      const again = { ...times, id: 'LATER', createdMs: START_MS + 60_000 };
      const expiresMs = again.createdMs + 12 * 3_600_000;
      const counts = { total: 1, pending: 0, applied: 1, failed: 0 };
      const applied = [{ ...tried(60_000), status: 'APPLIED' }];
      history.jobs.push({ ...job, ...again, expiresMs, counts, items: applied });
      addCall(history, { method: 'POST', path: BULK_PATH, status: 201, body: { id: 'LATER' }, ...times });
      const items = [
        { id: 'VEH01', status: 'PENDING', attempts: 2, last_attempt_at: seconds(START_MS + 90_000) },
      ];
      const at = { askedMs: START_MS + 100_000, answeredMs: START_MS + 100_100 };
      addCall(history, { method: 'GET', path: `${BULK_PATH}/JOB`, body: { id: 'JOB', items }, ...at });
      return ['pending though it was overtaken', 'LATER'];
    },
  },
];

function first({ vehicles }: RunRecordings): VehicleRecording {
  return vehicles[0] as VehicleRecording;
}

function tried(afterMs: number): { id: string; attempts: number; lastAttemptMs: number } {
  return { id: 'VEH01', attempts: 1, lastAttemptMs: START_MS + afterMs };
}

/** The job is of the first vehicle alone, which fails for this. */
function onlyJob(history: RunRecordings, problem: string): JobEvidence {
  history.calls = history.calls.filter(({ path }) => !path.endsWith('/JOB'));
  const [job] = history.jobs as [JobEvidence];
  const made = { method: 'POST', path: BULK_PATH, status: 201, body: { id: job.id } };
  addCall(history, { ...made, askedMs: job.askedMs, answeredMs: job.answeredMs });
  const item = { ...tried(1_000), status: 'FAILED', reason: 'as it is', problem };
  const counts = { total: 1, pending: 0, applied: 0, failed: 1 };
  const only = { ...job, vehicleIds: ['VEH01'], items: [item], counts };
  history.jobs[0] = only;
  return only;
}

function jobOfOne(name: string, problem: string, words: string): PlantedFault {
  return {
    name,
    checker: 'one-result-per-vehicle',
    plant(history) {
      onlyJob(history, problem);
      nothingInForce(history);
      return [words, 'VEH01'];
    },
  };
}

/** In the first vehicle nothing is in force that nobody put. */
function nothingInForce(history: RunRecordings): void {
  const told = first(history);
  told.inForce = { revision: 1, features: {}, settings: {} };
  told.configuration = {};
}

function seconds(ms: number): string {
  return new Date(Math.floor(ms / 1_000) * 1_000).toISOString().replace('.000', '');
}
