import { isDeepStrictEqual } from 'node:util';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import { RunTimes } from '../answers/run-times.ts';
import type { CheckScope } from '../check.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { wholeParameters } from './configuration-forms.ts';
import { type ConfigurationWrite, ConfigurationWrites, featureOf } from './configuration-writes.ts';

/** A feature in an answer. */
interface FeatureBody {
  readonly status?: unknown;
  readonly parameters?: unknown;
}

/**
 * Compares the features in answers with what was put (docs/api.md, Feature configuration): the parameters of the last
 * write that was carried out, with omitted ones at their defaults, or those of one that may have come after it;
 * INACTIVE after a DELETE; and for damage detection ACTIVATING while it calibrates, ACTIVE well after that.
 */
export async function judgeConfigurationReads(
  scope: CheckScope,
  calls: readonly AnsweredCall[],
  findings: Findings,
): Promise<void> {
  const writes = new ConfigurationWrites(calls, await scope.evidence.jobs());
  const times = new RunTimes(scope);
  const begunAnew = vehiclesBegunAnew(scope, calls);
  for (const call of calls) {
    const feature = featureOf(call);
    const { vehicle, method, status, body, answeredMs } = call;
    if (feature === undefined || vehicle === undefined || status !== 200) continue;
    if (method !== 'GET' && method !== 'PUT') continue;
    if (vehicle.group.isOnShelf || begunAnew.has(vehicle.number)) continue;
    const told = (body ?? {}) as FeatureBody;
    const own = writes.of(vehicle, feature);
    const text = faultOf(told, possible(own, call), feature);
    const what = `${method} of ${feature} of ${nameOf(vehicle)}, call ${call.call}`;
    if (text !== undefined)
      findings.add('a configuration that nobody put', `${what}: ${text}`, { vehicle, atMs: answeredMs });
    const wrong = feature === 'damage-detection' ? statusFault(told, own, call, times) : undefined;
    if (wrong !== undefined)
      findings.add('an activation that is not so', `${what}: ${wrong}`, { vehicle, atMs: answeredMs });
  }
}

/** What may be in force when the answer was made; undefined: anything, such as what the run began with. */
function possible(
  writes: readonly ConfigurationWrite[],
  call: AnsweredCall,
): readonly ConfigurationWrite[] | undefined {
  const { askedMs, answeredMs } = call;
  const before = writes.filter((one) => one.askedMs <= answeredMs);
  const own = before.find((one) => one.call === call);
  const over = before.filter((one) => one.isCertain && (one.answeredMs < askedMs || one === own));
  if (over.length === 0) return undefined;
  const left = before.filter((one) => !over.some((later) => later !== one && later.askedMs > one.answeredMs));
  // A request that was refused temporarily, or got no answer, may still come into force: this holds only for what was
  // requested.
  return left.every(({ asked }) => asked !== undefined) ? left : undefined;
}

function faultOf(
  { status, parameters }: FeatureBody,
  may: readonly ConfigurationWrite[] | undefined,
  feature: string,
): string | undefined {
  if (status === 'INACTIVE' && parameters !== undefined) return 'it is INACTIVE, and has parameters';
  if (may === undefined) return undefined;
  const told = status === 'INACTIVE' ? null : parameters;
  const wanted = may.map(({ asked }) => (asked === null ? null : wholeParameters(feature, asked)));
  // An invalid form was refused, or should have been (guards-hold).
  if (wanted.includes(undefined) || wanted.some((one) => isDeepStrictEqual(one, told))) return undefined;
  return `it is ${JSON.stringify(told)}, and was put as ${wanted.map((one) => JSON.stringify(one)).join(' or ')}`;
}

/** Damage detection calibrates for 30 s from the moment at which the box has it, which is before its PUT is answered. */
function statusFault(
  { status }: FeatureBody,
  writes: readonly ConfigurationWrite[],
  call: AnsweredCall,
  times: RunTimes,
): string | undefined {
  const state = activationAt(writes, call, times);
  if (state === 'calibrates' && status === 'ACTIVE') return 'it is ACTIVE, and can not have calibrated yet';
  if (state === 'is calibrated' && status === 'ACTIVATING') return 'it is ACTIVATING, and was put long ago';
  return undefined;
}

/**
 * The activation state of damage detection throughout a call; undefined: unknown, for example if it was put twice at
 * the same time, or its box was away.
 */
export function activationAt(
  writes: readonly ConfigurationWrite[],
  call: Pick<AnsweredCall, 'askedMs' | 'answeredMs' | 'vehicle'>,
  times: RunTimes,
): 'calibrates' | 'is calibrated' | undefined {
  const { vehicle, askedMs, answeredMs } = call;
  const before = writes.filter((one) => one.call !== call && one.askedMs <= answeredMs);
  const last = before.findLast(
    (one) => one.isCertain && (one.answeredMs < askedMs || one.call === call) && one.asked !== null,
  );
  const own = writes.find((one) => one.call === call && one.isCertain && one.asked !== null);
  const put = own ?? last;
  if (put === undefined || vehicle === undefined) return undefined;
  const isAlone = before.every((one) => one === put || (one.answeredMs < put.askedMs && one.isCertain));
  if (!isAlone) return undefined;
  if (answeredMs < put.askedMs + limits.calibrationMs) return 'calibrates';
  const span = { fromMs: put.askedMs, toMs: answeredMs };
  const isOver =
    askedMs > put.answeredMs + limits.calibrationMs + limits.calibrationSlackMs &&
    vehicle.group.radio !== 'road' &&
    times.isCalm(span, vehicle) &&
    times.isReadyThroughout(vehicle, span);
  return isOver ? 'is calibrated' : undefined;
}

/** Vehicles whose box was reset: by a wiped flash, by a change of vehicles, or with records that it gave up. */
function vehiclesBegunAnew({ facts }: CheckScope, calls: readonly AnsweredCall[]): ReadonlySet<number> {
  const wiped = facts.flatMap((fact) =>
    fact.kind === 'fault' && (fact.name === 'box wipe' || fact.name === 'box flash-full')
      ? fact.vehicles
      : [],
  );
  const changed = calls.flatMap(({ method, path, vehicle }: AnsweredCall) =>
    method === 'DELETE' && vehicle !== undefined && /^\/vehicles\/[^/]+$/.test(path) ? [vehicle.number] : [],
  );
  return new Set([...wiped, ...changed]);
}
