import { isWanted, type Point, type PointPlan } from '../../judge/certify/point.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { CallerTokens } from '../../scenarios/causes/caller-tokens.ts';
import type { CandidateVehicle } from '../../scenarios/causes/cause.ts';
import type { CauseContext } from '../../scenarios/causes/cause-context.ts';
import type { CauseAnswer, CausePorts } from '../../scenarios/causes/cause-ports.ts';
import type { ClientAnswer } from '../../scenarios/testbed/common/api-clients.ts';
import type { CallRecording } from '../../scenarios/testbed/common/recordings/call-recording.ts';
import { jsonOf } from '../../world/json.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { CertifiedFleet } from './certified-fleet.ts';
import type { CertifiedVehicle } from './certified-vehicles.ts';
import type { CertifyOptions } from './certify-options.ts';
import type { ContractDocuments } from './contract-documents.ts';
import type { MessageReader } from './message-reader.ts';
import type { Means } from './problem-points.ts';
import type { ServiceApi } from './service-api.ts';

/** The inputs of all points. */
export interface CertifySession {
  readonly options: CertifyOptions;
  readonly time: Time;
  readonly api: ServiceApi;
  readonly fleet: CertifiedFleet;
  readonly ports: CausePorts;
  readonly callers: CallerTokens;
  readonly context: CauseContext;
  readonly means: Means;
  readonly documents: ContractDocuments;
  /** Those with our boxes, numbered. */
  readonly vehicles: readonly CertifiedVehicle[];
  /** Successful calls, for the checkers. */
  readonly calls: CallRecording;
  /** Undefined: messages are not tested. */
  readonly messages: MessageReader | undefined;
}

/** Collects points of one group after the other, those that are wanted. */
export class PointList {
  readonly points: Point[] = [];
  readonly #only: readonly string[];
  readonly #progress: (point: Point) => void;

  constructor(only: readonly string[], progress: (point: Point) => void = () => undefined) {
    this.#only = only;
    this.#progress = progress;
  }

  wants({ id }: Pick<PointPlan, 'id'>): boolean {
    return isWanted(id, this.#only);
  }

  add(plan: PointPlan, result: Verdict): void {
    const point = { ...plan, ...result };
    this.points.push(point);
    this.#progress(point);
  }
}

/** One call of the given client, recorded for the checkers. */
export async function ask(
  { api, time, calls, vehicles }: CertifySession,
  method: string,
  path: string,
  body?: unknown,
): Promise<CauseAnswer> {
  const [, vehicleId] = /^\/vehicles\/([^/?]+)/.exec(path) ?? [];
  const vehicle = vehicles.find((one) => one.vehicleId === vehicleId);
  const call = calls.begin({ method, path, body, as: 'owner' }, vehicle);
  const askedMs = time.nowMs();
  const answer = await api.ask(method, path, body);
  const told: ClientAnswer = {
    status: answer.status,
    headers: answer.headers,
    text: answer.text,
    body: jsonOf(answer.text),
    tookMs: time.nowMs() - askedMs,
  };
  const isOfCard = path.includes('/box-connectivity-commands/');
  calls.end(call, askedMs, told, isOfCard ? vehicle?.box.sim() : undefined);
  return answer;
}

/** Waits until the box of a vehicle accepts commands; false: it does not within `limits.readyMs`. */
export async function untilReady(session: CertifySession, { id }: CandidateVehicle): Promise<boolean> {
  return until(session.time, limits.readyMs, async () => {
    const path = `/vehicles/${id}/box-commands/request-system-status`;
    return (await session.api.ask('POST', path)).status === 200;
  });
}

/** Polls until the condition holds; false: it did not within that time. */
export async function until(time: Time, mostMs: number, look: () => Promise<boolean>): Promise<boolean> {
  const untilMs = time.nowMs() + mostMs;
  for (;;) {
    if (await look()) return true;
    if (time.nowMs() >= untilMs) return false;
    await sleep(time, limits.lookMs);
  }
}
