import { BULK_PATH } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import type { AnsweredCall, Equipment, JobEvidence } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { EQUIPMENT_RULES } from '../answers/equipment-rules.ts';
import type { CheckScope } from '../check.ts';
import { featureOf } from '../configuration/configuration-writes.ts';
import { type Findings, nameOf } from '../findings.ts';
import { fleetsOfClients } from '../fleets-apart.ts';
import { limits } from '../limits.ts';
import { SharingRecording } from '../sharing-recording.ts';
import { RetryTimes } from './retry-on-connect.ts';

type Item = Pick<JobEvidence['items'][number], 'id' | 'status' | 'problem' | 'lastAttemptMs'>;

/** docs/api.md, Bulk configuration: these are temporary, and the vehicle is tried again. */
const PASSING: ReadonlySet<string> = new Set(['conflicting-command', 'conflicting-resource']);
/** Problems whose reason is the equipment of a vehicle. */
const OF_EQUIPMENT: ReadonlySet<string> = new Set([
  'incompatible-telematics-unit-model',
  'incompatible-installation-variant',
]);

/** Why a partner cannot configure a vehicle that is shared with it: docs/api.md, Bulk configuration. */
const OF_PARTNER: ReadonlySet<string> = new Set(['shared-with-partner', 'conflicting-setup-status']);

/** These are found before a configuration is opened: the call has changed nothing. */
const FOUND_FIRST: ReadonlySet<string> = new Set([
  '/problems/validation-error',
  '/problems/missing-credentials',
  '/problems/invalid-credentials',
  '/problems/forbidden-resource',
  '/problems/missing-permissions',
  '/problems/resource-not-found',
  '/problems/payload-too-large',
  '/problems/too-many-requests',
  '/problems/conflicting-operation',
  '/problems/vehicle/conflicting-setup-status',
  '/problems/vehicle/shared-with-partner',
]);

/** A later request for the same vehicle, by its features. */
interface LaterWrite {
  readonly what: string;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly features: readonly string[];
  /** It was accepted: a job exists, or a configuration was carried out. */
  readonly isCertain: boolean;
}

/**
 * Checks the results of bulk jobs against their reasons (docs/api.md, Bulk configuration): a temporary reason fails no
 * vehicle; one that cannot have all features fails for that, and no other does; a vehicle of the fleet is found; a
 * later request for one of the features overtakes what is pending, and nothing else does.
 */
export function judgeReasons(
  scope: CheckScope,
  jobs: readonly JobEvidence[],
  calls: readonly AnsweredCall[],
  findings: Findings,
): void {
  if (scope.evidence.unrecorded().calls > 0) return;
  const retries = new RetryTimes(scope);
  const fleets = fleetsOfClients(scope);
  const sharing = new SharingRecording(calls, scope.testbed.fleetId('partner'));
  const byId = new Map(scope.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  // A job whose caller got no answer may exist.
  const hasUnknown = calls.some(
    ({ method, path, status }) => method === 'POST' && path === BULK_PATH && (status === 0 || status >= 500),
  );
  const leftStock = new Set(
    calls.flatMap(({ method, path, vehicle }) =>
      method === 'DELETE' && vehicle !== undefined && /^\/vehicles\/[^/]+$/.test(path)
        ? [vehicle.number]
        : [],
    ),
  );
  for (const job of jobs) {
    const fleetId = fleetOfJob(job, calls, fleets);
    const ofFleet = jobs.filter((other) => fleetOfJob(other, calls, fleets) === fleetId);
    const looks = [...looksAt(job, calls), { items: job.items, atMs: scope.testbed.time.nowMs() }];
    for (const { items, atMs } of looks) {
      for (const item of items) {
        const vehicle = byId.get(item.id);
        if (vehicle === undefined || vehicle.group.isOnShelf || leftStock.has(vehicle.number)) continue;
        const equipment = scope.evidence.equipment(vehicle);
        const later = laterWrites(job, vehicle, mayConfigure(jobs, vehicle, calls, fleets), calls);
        const add = (kind: string, text: string) =>
          findings.add(kind, `job ${job.id}, ${nameOf(vehicle)}: ${text}`, { vehicle, atMs });
        const shared = [item.id, fleetId ?? '', job.createdMs, atMs] as const;
        const why = reasonFault(job, item, {
          vehicle,
          equipment,
          later,
          fleetId,
          hasUnknown,
          mayBeShared: sharing.mayHaveBeenShared(...shared),
          isShared: sharing.mustHaveBeenShared(...shared),
          laterOfFleet: laterWrites(job, vehicle, ofFleet, []),
        });
        if (why !== undefined) add('a result without its reason', why);
        const certain = later.filter(({ isCertain }) => isCertain);
        const overtaking = certain.find(({ answeredMs }) => atMs > answeredMs + limits.overtakenMs);
        if (item.status === 'PENDING' && overtaking !== undefined) {
          if (!retries.isServiceDisturbed(overtaking.answeredMs, atMs))
            add('pending though it was overtaken', `${overtaking.what} came later, and has common features`);
        }
        const before = certain.find(
          ({ answeredMs }) => (item.lastAttemptMs ?? 0) > answeredMs + limits.overtakenMs,
        );
        if (item.status === 'APPLIED' && before !== undefined)
          add('applied though it was overtaken', `${before.what} came before its attempt`);
      }
    }
  }
}

function reasonFault(
  { features }: JobEvidence,
  { status, problem = '' }: Item,
  {
    vehicle,
    equipment,
    later,
    laterOfFleet,
    fleetId,
    hasUnknown,
    mayBeShared,
    isShared,
  }: {
    readonly vehicle: SimulatedVehicle;
    readonly equipment: Equipment | undefined;
    readonly later: readonly LaterWrite[];
    /** Of these the jobs of the fleet whose job it is, which may be another one than the vehicle's. */
    readonly laterOfFleet: readonly LaterWrite[];
    readonly fleetId: string | undefined;
    readonly hasUnknown: boolean;
    /** With the fleet whose job it is, at some time and all the time since the job was made. */
    readonly mayBeShared: boolean;
    readonly isShared: boolean;
  },
): string | undefined {
  if (status === 'PENDING' || fleetId === undefined) return undefined;
  const isFailed = status === 'FAILED';
  if (isFailed && PASSING.has(problem)) return `it failed with ${problem}, which passes`;
  const isForeign = vehicle.fleetId !== fleetId;
  // A later job of the same fleet also replaces impossible requests.
  const isReplaced =
    isFailed && problem === 'conflicting-operation' && (laterOfFleet.length > 0 || hasUnknown);
  if (isForeign && !isReplaced) {
    const isRight = OF_PARTNER.has(problem) ? mayBeShared : problem === 'resource-not-found' && !isShared;
    return isFailed && isRight ? undefined : `it is of another fleet, and ${status} ${problem}`;
  }
  if (isForeign) return undefined;
  if (isFailed && problem === 'resource-not-found') return 'it failed with resource-not-found, and is there';
  const hasNoBox = vehicle.boxId === undefined;
  if (hasNoBox && isReplaced) return undefined;
  if (hasNoBox !== (isFailed && problem === 'command-not-supported'))
    return hasNoBox ? `it has no box, and ${status} ${problem}` : 'it has a box, and failed as one without';
  const lacking = lacks(features, vehicle, equipment);
  if (lacking !== undefined) {
    if (isFailed && OF_EQUIPMENT.has(problem) && lacking.length === 0)
      return `it failed with ${problem}, and can have all of it`;
    if (!isFailed && lacking.length > 0) return `it was applied, and lacks what is needed: ${lacking.join()}`;
  }
  const isOvertaken = later.length > 0 || hasUnknown || Object.hasOwn(features, 'damage-detection');
  if (isFailed && problem === 'conflicting-operation' && !isOvertaken)
    return 'it failed with conflicting-operation, and nothing came later';
  return undefined;
}

const CONFIGURING = OPERATIONS.filter(({ kind }) => kind === 'configure');

/** Problems of the equipment with the features to put; undefined: unknown. */
function lacks(
  features: JobEvidence['features'],
  vehicle: SimulatedVehicle,
  equipment: Equipment | undefined,
): readonly string[] | undefined {
  if (equipment === undefined) return undefined;
  const rules = EQUIPMENT_RULES.filter(({ problems }) =>
    problems.some((one) => OF_EQUIPMENT.has(one.slice(one.lastIndexOf('/') + 1))),
  );
  const call = { method: 'PUT', askedMs: 0 } as const;
  return Object.entries(features)
    .filter(([, parameters]) => parameters !== null)
    .flatMap(([name, sent]) => {
      const operation = CONFIGURING.find((one) => one.name === name);
      if (operation === undefined) return [];
      return rules.filter(
        (rule) =>
          rule.verdict(
            {
              call: { ...call, sent } as unknown as AnsweredCall,
              operation,
              vehicleId: vehicle.vehicleId,
              callerFleetId: vehicle.fleetId,
              permissions: { surely: [], perhaps: [] },
              vehicle,
              equipment,
            },
            NOTHING_KNOWN,
          ) === 'must',
      );
    })
    .map(({ name }) => name);
}

/** The rules about the equipment for a configuration read nothing else. A vehicle with a result was ready before. */
const NOTHING_KNOWN = { times: { firstReadyMs: () => Number.NEGATIVE_INFINITY } } as unknown as Parameters<
  (typeof EQUIPMENT_RULES)[number]['verdict']
>[1];

function fleetOfJob(
  { id }: JobEvidence,
  calls: readonly AnsweredCall[],
  fleets: ReadonlyMap<string, string>,
): string | undefined {
  const made = calls.find(
    ({ method, path, status, body }) =>
      method === 'POST' &&
      path === BULK_PATH &&
      status === 201 &&
      (body as { readonly id?: string }).id === id,
  );
  return made === undefined ? undefined : fleets.get(made.as);
}

/** The jobs but those of another fleet, which does not find the vehicle. */
function mayConfigure(
  jobs: readonly JobEvidence[],
  { fleetId }: SimulatedVehicle,
  calls: readonly AnsweredCall[],
  fleets: ReadonlyMap<string, string>,
): readonly JobEvidence[] {
  return jobs.filter((job) => (fleetOfJob(job, calls, fleets) ?? fleetId) === fleetId);
}

/** Later requests for a feature of a job. */
function laterWrites(
  job: JobEvidence,
  vehicle: SimulatedVehicle,
  jobs: readonly JobEvidence[],
  calls: readonly AnsweredCall[],
): readonly LaterWrite[] {
  const ofJobs = jobs.flatMap((other): LaterWrite[] =>
    other !== job && other.answeredMs >= job.askedMs && other.vehicleIds.includes(vehicle.vehicleId)
      ? [
          {
            what: `job ${other.id}`,
            askedMs: other.askedMs,
            answeredMs: other.answeredMs,
            features: Object.keys(other.features),
            isCertain: other.askedMs > job.answeredMs,
          },
        ]
      : [],
  );
  const ofCalls = calls.flatMap((one): LaterWrite[] => {
    const feature = featureOf(one);
    const { call, method, status, askedMs, answeredMs } = one;
    if (one.vehicle !== vehicle || feature === undefined || method === 'GET') return [];
    if (answeredMs < job.askedMs || hasChangedNothing(one)) return [];
    const isCertain = (status === 200 || status === 204) && askedMs > job.answeredMs;
    return [{ what: `call ${call}`, askedMs, answeredMs, features: [feature], isCertain }];
  });
  return [...ofJobs, ...ofCalls].filter(({ features }) =>
    features.some((name) => Object.hasOwn(job.features, name)),
  );
}

/** A configuration that a later one replaced was opened, and only its detail says so. */
function hasChangedNothing({ problem, detail = '' }: AnsweredCall): boolean {
  return problem !== undefined && FOUND_FIRST.has(problem) && !/replaced/.test(detail);
}

/** The items of a job in answers. */
function* looksAt(
  { id }: JobEvidence,
  calls: readonly AnsweredCall[],
): Generator<{ readonly items: readonly Item[]; readonly atMs: number }> {
  for (const { method, path, status, body, askedMs } of calls) {
    if (method !== 'GET' || status !== 200 || !path.startsWith(`${BULK_PATH}/`)) continue;
    const told = body as { readonly id?: string; readonly items?: readonly ItemBody[] };
    if (told.id !== id || told.items === undefined) continue;
    yield {
      items: told.items.map((item) => ({
        id: item.id,
        status: item.status,
        ...(item.reason?.type === undefined
          ? {}
          : { problem: item.reason.type.slice(item.reason.type.lastIndexOf('/') + 1) }),
        ...(item.last_attempt_at === undefined ? {} : { lastAttemptMs: Date.parse(item.last_attempt_at) }),
      })),
      atMs: askedMs,
    };
  }
}

interface ItemBody {
  readonly id: string;
  readonly status: string;
  readonly reason?: { readonly type?: string };
  readonly last_attempt_at?: string;
}
