import { isDeepStrictEqual } from 'node:util';
import { BULK_PATH } from '../../contract/operation.ts';
import { SETTINGS } from '../../protocol/settings.ts';
import { sleep } from '../../world/time/time.ts';
import type { AnsweredCall, ConfigurationFact, JobEvidence } from '../evidence/evidence.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import type { CheckScope } from './check.ts';
import type { RequestRecording } from './commands/request-recording.ts';
import { FEATURE_NAMES, wholeParameters } from './configuration/configuration-forms.ts';
import { type Findings, nameOf } from './findings.ts';
import { limits } from './limits.ts';

/** Parameters as they were given or are in force; null: the feature is off. */
type Parameters = Readonly<Record<string, unknown>> | null;

type JobItem = JobEvidence['items'][number];

/** One request about a feature of a vehicle. `unsure`: it may be in force or not. */
interface Write {
  readonly atMs: number;
  /** When it was answered: a write that was requested later comes after it. */
  readonly endMs: number;
  readonly feature: string;
  /** Undefined: the request is unknown. */
  readonly parameters: Parameters | undefined;
  readonly became: 'applied' | 'refused' | 'unsure';
}

/** Compares what boxes have in force with the service's record and the results that it reported. */
export class InForce {
  readonly #scope: CheckScope;
  readonly #findings: Findings;
  /** The jobs, each with its items by vehicle id: there are ten thousand of both. */
  readonly #jobs: readonly { readonly job: JobEvidence; readonly items: ReadonlyMap<string, JobItem> }[];
  /** By the number of the vehicle. */
  readonly #calls: ReadonlyMap<number | undefined, readonly AnsweredCall[]>;
  /** A job whose caller got no answer may exist, for unknown vehicles. */
  readonly #unansweredJobs: readonly Write[];
  /** The numbers of vehicles whose box was reset: by a wiped flash, or by a change of vehicles. */
  readonly #begunAnew: ReadonlySet<number>;
  /** The largest delay of the store. */
  readonly #storeSlowMs: number;

  constructor(
    scope: CheckScope,
    jobs: readonly JobEvidence[],
    calls: readonly AnsweredCall[],
    findings: Findings,
  ) {
    this.#scope = scope;
    this.#findings = findings;
    this.#jobs = jobs.map((job) => ({ job, items: new Map(job.items.map((item) => [item.id, item])) }));
    this.#calls = Map.groupBy(calls, ({ vehicle }) => vehicle?.number);
    this.#unansweredJobs = calls
      .filter(({ method, path, status }) => method === 'POST' && path === BULK_PATH && !isAnswered(status))
      .flatMap(({ askedMs: atMs, answeredMs: endMs }) =>
        FEATURE_NAMES.map(
          (feature): Write => ({ atMs, endMs, feature, parameters: undefined, became: 'unsure' }),
        ),
      );
    this.#storeSlowMs = Math.max(
      0,
      ...scope.facts.flatMap((fact) =>
        fact.kind === 'fault' && fact.name === 'store slow'
          ? [(JSON.parse(fact.detail) as { readonly by: number }).by]
          : [],
      ),
    );
    const wiped = scope.facts.flatMap((fact) =>
      fact.kind === 'fault' && fact.name === 'box wipe' ? fact.vehicles : [],
    );
    const offboarded = calls.flatMap(({ method, path, vehicle }) =>
      method === 'DELETE' && vehicle !== undefined && /^\/vehicles\/[^/]+$/.test(path)
        ? [vehicle.number]
        : [],
    );
    this.#begunAnew = new Set([...wiped, ...offboarded]);
  }

  /** Undefined for `wire`: the recording of frames was full. */
  async judge(vehicle: SimulatedVehicle, recording: RequestRecording | undefined): Promise<void> {
    const record = await this.#scope.evidence.configuration(vehicle);
    if (record === undefined || vehicle.vehicleId === '') return;
    await this.#judgeBox(vehicle);
    if (this.#isTraceable(vehicle) && !(await this.#wasOvertaken(vehicle, recording)))
      this.#judgeResults(vehicle, record, this.#writesOf(vehicle, recording));
  }

  /** The box has the revision on record, its parameters, and the standard of everything else. */
  async #judgeBox(vehicle: SimulatedVehicle): Promise<void> {
    const { testbed, evidence } = this.#scope;
    for (let look = 0; ; look += 1) {
      const { belief, isConnected } = testbed.snapshotOf(vehicle);
      const record = await evidence.configuration(vehicle);
      // A box that is away has not yet reported its latest configuration.
      if (!isConnected || record === undefined) return;
      const said = differenceOf(record, belief['configuration']);
      if (said === undefined) return;
      if (look >= limits.inForceLooks) {
        // A full flash may have given up the reply: then only the box knows its configuration.
        if ((await evidence.everStored(vehicle)).lost > 0) return;
        this.#findings.add('in force otherwise', `${nameOf(vehicle)} has ${said}`, { vehicle });
        return;
      }
      await sleep(testbed.time, limits.inForceLookMs);
    }
  }

  #isTraceable({ number }: SimulatedVehicle): boolean {
    return this.#scope.evidence.unrecorded().calls === 0 && !this.#begunAnew.has(number);
  }

  /**
   * Whether a configuration went to the box while the reply to an earlier one was not yet stored: it keeps what was known
   * to be in force before (docs/guarantees.md, what is not promised).
   */
  async #wasOvertaken(vehicle: SimulatedVehicle, recording: RequestRecording | undefined): Promise<boolean> {
    if (recording === undefined) return false;
    const { configurations, replies } = recording;
    const stored = new Map<string, number>();
    for await (const page of this.#scope.evidence.records(vehicle))
      for (const { key, storedMs } of page) stored.set(key, storedMs);
    return [...configurations].some(([requestId, sentMs]) => {
      const reply = replies.get(requestId);
      if (reply === undefined) return false;
      const knownMs =
        stored.get(`${vehicle.boxId}/${reply.epoch}/${reply.sequence}`) ?? Number.POSITIVE_INFINITY;
      // Its base was read several slow calls of the store before it was sent.
      return [...configurations.values()].some(
        (laterMs) => laterMs > sentMs && laterMs - CALLS_BEFORE_SENDING * this.#storeSlowMs < knownMs,
      );
    });
  }

  #judgeResults(vehicle: SimulatedVehicle, record: ConfigurationFact, writes: readonly Write[]): void {
    for (const name of FEATURE_NAMES) {
      const may = outcomesOf(initialOf(vehicle, name), writes, name);
      const has: Parameters = record.features[name]?.parameters ?? null;
      if (may === undefined || may.some((one) => isDeepStrictEqual(wholeOf(name, one), has))) continue;
      this.#findings.add(
        'in force otherwise than told',
        `${nameOf(vehicle)} has ${name} ${JSON.stringify(has)}, and by the results it is ${may.map((one) => JSON.stringify(wholeOf(name, one))).join(' or ')}`,
        { vehicle },
      );
    }
  }

  /** In the order of the requests. */
  #writesOf(vehicle: SimulatedVehicle, recording: RequestRecording | undefined): readonly Write[] {
    const sentMs = [...(recording?.configurations.values() ?? [])];
    const ofJobs = this.#jobs.flatMap(({ job: { askedMs, answeredMs, features }, items }) => {
      const item = items.get(vehicle.vehicleId);
      if (item === undefined) return [];
      const isSent = recording === undefined || sentMs.some((atMs) => atMs >= askedMs);
      const isSure = item.status === 'FAILED' && (!isSent || !MAY_BE_IN_FORCE.has(item.problem ?? ''));
      const became = item.status === 'APPLIED' ? 'applied' : isSure ? 'refused' : 'unsure';
      return Object.entries(features).map(
        ([feature, parameters]): Write => ({ atMs: askedMs, endMs: answeredMs, feature, parameters, became }),
      );
    });
    const calls = this.#calls.get(vehicle.number) ?? [];
    const ofCalls = calls.flatMap((call) => writeOf(call, vehicle) ?? []);
    return [...ofJobs, ...ofCalls, ...this.#unansweredJobs].toSorted((a, b) => a.atMs - b.atMs);
  }
}

/** Between the read of what is in force and the frame: the read, its order, and that it is open. */
const CALLS_BEFORE_SENDING = 3;

/** Reasons of a vehicle of a job with which an attempt may have been carried out nevertheless. */
const MAY_BE_IN_FORCE: ReadonlySet<string> = new Set(['no-connection', 'conflicting-operation']);

const FEATURE_PATH = /^\/vehicles\/[^/]+\/telematics-unit\/(?:feature-configuration\/)?([a-z-]+)$/;

function writeOf(
  { method, path, vehicle, status, body, askedMs, answeredMs }: AnsweredCall,
  of: SimulatedVehicle,
): Write | undefined {
  const feature = FEATURE_PATH.exec(path)?.[1] ?? '';
  if (vehicle?.number !== of.number || !FEATURE_NAMES.includes(feature)) return undefined;
  if (method !== 'PUT' && method !== 'DELETE') return undefined;
  const write = { atMs: askedMs, endMs: answeredMs, feature };
  if (status === 204) return { ...write, parameters: null, became: 'applied' };
  if (status === 200) {
    const { parameters } = body as { readonly parameters?: Parameters };
    return { ...write, parameters, became: 'applied' };
  }
  const isRefused = status >= 400 && status < 500;
  return { ...write, parameters: undefined, became: isRefused ? 'refused' : 'unsure' };
}

/** Whether a status reveals the outcome of a request. 0: no answer came. */
function isAnswered(status: number): boolean {
  return status >= 200 && status < 500;
}

/** What may be in force after all writes; undefined: anything. Of concurrent writes any may be the last. */
function outcomesOf(
  initial: Parameters,
  writes: readonly Write[],
  name: string,
): readonly Parameters[] | undefined {
  const own = writes.filter(({ feature, became }) => feature === name && became !== 'refused');
  const applied = own.filter(({ became }) => became === 'applied');
  const left = own
    .filter(({ endMs }) => !applied.some(({ atMs }) => atMs > endMs))
    .map(({ parameters }) => parameters);
  const may = applied.length === 0 ? [initial, ...left] : left;
  return may.every((one) => one !== undefined) ? may : undefined;
}

/** Before the first step. */
function initialOf({ group, initialFeatures }: SimulatedVehicle, name: string): Parameters {
  if (group.isOnShelf) return null;
  return initialFeatures[name] ?? initialFeatures[name.replaceAll('-', '_')] ?? null;
}

/** With every omitted parameter at its default. */
function wholeOf(name: string, parameters: Parameters): unknown {
  return parameters === null ? null : wholeParameters(name, parameters);
}

/** The first setting that differs from the record, in words; undefined: none, or the box does not report it. */
function differenceOf(record: ConfigurationFact, configuration: unknown): string | undefined {
  if (typeof configuration !== 'object' || configuration === null) return undefined;
  const has = new Map(Object.entries(configuration));
  const should = new Map<string, unknown>(SETTINGS.map(({ name, standard }) => [name, standard]));
  for (const [name, value] of Object.entries(record.settings)) should.set(name, value);
  should.set('revision', record.revision);
  for (const [name, value] of should)
    if (has.get(name) !== value) return `${name} ${String(has.get(name))}, and on record is ${String(value)}`;
  return undefined;
}
