import { BULK_PATH } from '../../../contract/operation.ts';
import type { AnsweredCall, JobEvidence } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { FEATURE_NAMES } from './configuration-forms.ts';

const FEATURE_PATH = /^\/vehicles\/[^/]+\/telematics-unit\/(?:feature-configuration\/)?([a-z-]+)$/;

/** The feature that a path of one vehicle is about; undefined: it is about none. */
export function featureOf({ path }: Pick<AnsweredCall, 'path'>): string | undefined {
  const feature = FEATURE_PATH.exec(path.split('?', 1)[0] ?? '')?.[1] ?? '';
  return FEATURE_NAMES.includes(feature) ? feature : undefined;
}

/** A request that may have changed one feature of a vehicle. */
export interface ConfigurationWrite {
  /** Its answer says that it was carried out. */
  readonly isCertain: boolean;
  /** As requested; null: the feature is to be off; undefined: unknown. */
  readonly asked: unknown;
  readonly askedMs: number;
  /** From then on it was carried out, if that is certain. For a job: infinity if it is not settled. */
  readonly answeredMs: number;
  readonly call?: AnsweredCall;
  readonly job?: JobEvidence;
}

/** Every write of a feature, by vehicle; refused ones are none. */
export class ConfigurationWrites {
  readonly #calls: ReadonlyMap<number | undefined, readonly AnsweredCall[]>;
  readonly #jobs: readonly JobEvidence[];
  readonly #vehicleIds = new Map<JobEvidence, ReadonlySet<string>>();
  readonly #unanswered: readonly ConfigurationWrite[];

  constructor(calls: readonly AnsweredCall[], jobs: readonly JobEvidence[]) {
    this.#calls = Map.groupBy(calls, ({ vehicle }) => vehicle?.number);
    this.#jobs = jobs;
    // A job whose caller got no answer may exist, for unknown vehicles.
    this.#unanswered = calls
      .filter(({ method, path, status }) => method === 'POST' && path === BULK_PATH && !isAnswered(status))
      .map(({ askedMs }) => ({
        isCertain: false,
        asked: undefined,
        askedMs,
        answeredMs: Number.POSITIVE_INFINITY,
      }));
  }

  /** A job can be of thousands of vehicles, each of which is looked up. */
  #vehicleIdsOf(job: JobEvidence): ReadonlySet<string> {
    let ids = this.#vehicleIds.get(job);
    if (ids === undefined) {
      ids = new Set(job.vehicleIds);
      this.#vehicleIds.set(job, ids);
    }
    return ids;
  }

  of({ number, vehicleId }: SimulatedVehicle, feature: string): readonly ConfigurationWrite[] {
    const single = (this.#calls.get(number) ?? []).flatMap((call): ConfigurationWrite[] => {
      const { method, status, sent, askedMs, answeredMs } = call;
      if ((method !== 'PUT' && method !== 'DELETE') || featureOf(call) !== feature) return [];
      if (status >= 400 && status < 500) return [];
      const asked = method === 'DELETE' ? null : (sent ?? {});
      return [{ isCertain: status === 200 || status === 204, asked, askedMs, answeredMs, call }];
    });
    const ofJobs = this.#jobs.flatMap((job): ConfigurationWrite[] => {
      if (!Object.hasOwn(job.features, feature) || !this.#vehicleIdsOf(job).has(vehicleId)) return [];
      const { askedMs, features } = job;
      return [
        { isCertain: false, asked: features[feature], askedMs, answeredMs: Number.POSITIVE_INFINITY, job },
      ];
    });
    return [...single, ...ofJobs, ...this.#unanswered];
  }
}

/** Whether a status reveals the outcome of a request. 0: no answer came. */
function isAnswered(status: number): boolean {
  return status >= 200 && status < 500;
}
