import type { SessionRecord } from '../../console/server/session-record.ts';
import { type Disturbance, drawDisturbance } from '../../scenarios/explore/disturbance.ts';
import type { RandomSource } from '../../scenarios/language/vary/draw.ts';
import type { FaultWord } from '../../simulator/control/fault-face.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { ControlApi } from '../shared/control-api.ts';
import { pause } from '../shared/pause.ts';

/** What a swarm on a fleet that runs is played with. */
export interface RunningSwarmParts {
  readonly control: ControlApi;
  /** Keeps what was done, for a scenario that does it again. */
  readonly session: SessionRecord;
  readonly time: Time;
  readonly source: RandomSource;
  readonly lengthMs: number;
  /** It is over before its time. */
  readonly ended: AbortSignal;
  tell(done: DoneDisturbance): void;
}

/** One that was tried; `refusal`: why it could not be, as where a vehicle that is locked was to drive. */
export interface DoneDisturbance {
  readonly afterMs: number;
  readonly disturbance: Disturbance;
  readonly refusal?: string;
}

/** A vehicle of the fleet, or a box that is in none. */
interface FleetItem {
  readonly vehicleId: string | null;
  readonly session: string;
}

/**
 * Draws and does one thing after the other until the time is over, and lifts what it has laid. Rejects where nobody answers,
 * or no vehicle is there. Resolves with the vehicles whose box was ready before it.
 */
export async function disturb(parts: RunningSwarmParts): Promise<ReadonlySet<string>> {
  const { control, time, source, lengthMs, ended, tell } = parts;
  const before = await fleetOf(control);
  const vehicleIds = before.flatMap(({ vehicleId }) => vehicleId ?? []).sort();
  if (vehicleIds.length === 0) throw new NothingToDisturb('No box of this fleet is in a vehicle.');
  const { words } = (await control('GET', '/faults')) as { readonly words: readonly FaultWord[] };
  const startMs = time.nowMs();
  const laid = new Set<string>();
  try {
    while (!ended.aborted) {
      const disturbance = drawDisturbance(source, { vehicleIds, words });
      const leftMs = startMs + lengthMs - time.nowMs();
      await pause(parts, Math.min(disturbance.gapMs, leftMs));
      if (disturbance.gapMs >= leftMs || ended.aborted) break;
      const refusal = await carryOut(parts, disturbance, laid);
      const afterMs = time.nowMs() - startMs;
      tell({ afterMs, disturbance, ...(refusal === undefined ? {} : { refusal }) });
    }
  } finally {
    await lift(control, laid);
  }
  return new Set(
    before.flatMap(({ session: was, vehicleId }) =>
      was === 'ready' && vehicleId !== null ? [vehicleId] : [],
    ),
  );
}

/** Lifts what is still in force of these: most are over by themselves. Never rejects: where nobody answers nothing is in force. */
async function lift(control: ControlApi, laid: ReadonlySet<string>): Promise<void> {
  try {
    const { in_force: inForce } = (await control('GET', '/faults')) as {
      readonly in_force: readonly { readonly id: string }[];
    };
    const own = inForce.filter(({ id }) => laid.has(id));
    await Promise.allSettled(own.map(({ id }) => control('DELETE', `/faults/${id}`)));
  } catch {
    // Whoever laid them is gone, and they with it.
  }
}

/** There is nothing that a swarm could befall. */
export class NothingToDisturb extends Error {
  override name = 'NothingToDisturb';
}

/** Does it; resolves with why it could not be done, if so. Rejects where nobody answers. */
async function carryOut(
  { control, session }: RunningSwarmParts,
  disturbance: Disturbance,
  laid: Set<string>,
): Promise<string | undefined> {
  try {
    if (disturbance.kind === 'act') {
      const { vehicleId, action, body } = disturbance;
      const keep = await session.beforeAct(vehicleId, action, body);
      await control('POST', `/boxes/${vehicleId}/${action}`, body);
      keep();
      return undefined;
    }
    const { on, fault } = disturbance;
    const keep = await session.beforeFault(on, fault);
    const answer = await control('POST', '/faults', { ...(on === undefined ? {} : { on }), ...fault });
    const id = (answer as { readonly id?: unknown } | undefined)?.id;
    if (id !== undefined) laid.add(String(id));
    keep(id === undefined ? '' : String(id));
    return undefined;
  } catch (error) {
    if (error instanceof TypeError || !(error instanceof Error)) throw error;
    return error.message.replace(/^.* of the simulator: \d+ /, '');
  }
}

/** What is not as it was before. */
export interface NotBack {
  /** Vehicles whose box was ready, and is in no session though it has power. */
  readonly vehicles: readonly string[];
  /** What the service says of itself, where it is not ready; undefined: it is ready. */
  readonly service: string | undefined;
}

/**
 * Waits until the service is ready and the box of each of these vehicles has its session again, within bounds. One that sleeps
 * is back: it wakes by itself. Resolves with what is not back, undefined where all is.
 */
export async function untilBack(
  parts: Pick<RunningSwarmParts, 'control' | 'time' | 'ended'>,
  vehicleIds: ReadonlySet<string>,
  serviceTrouble: () => Promise<string | undefined>,
): Promise<NotBack | undefined> {
  const { control, time, ended } = parts;
  const endMs = time.nowMs() + limits.backWithinMs;
  for (;;) {
    const away = (await fleetOf(control)).flatMap(({ vehicleId, session }) =>
      vehicleId !== null && vehicleIds.has(vehicleId) && session !== 'ready' ? [vehicleId] : [],
    );
    const service = await serviceTrouble();
    const vehicles: string[] = [];
    for (const vehicleId of away)
      if (vehicles.length < limits.shownNotBack && (await isAwake(control, vehicleId)))
        vehicles.push(vehicleId);
    if (vehicles.length === 0 && service === undefined) return undefined;
    if (ended.aborted || time.nowMs() >= endMs) return { vehicles, service };
    await pause(parts, limits.backLookMs);
  }
}

async function isAwake(control: ControlApi, vehicleId: string): Promise<boolean> {
  const { belief } = (await control('GET', `/boxes/${vehicleId}`)) as {
    readonly belief: { readonly power: string };
  };
  return belief.power === 'up';
}

async function fleetOf(control: ControlApi): Promise<readonly FleetItem[]> {
  const all: FleetItem[] = [];
  for (let path: string | undefined = '/fleet?limit=1000'; path !== undefined; ) {
    const page = (await control('GET', path)) as {
      readonly items: readonly FleetItem[];
      readonly next?: string;
    };
    all.push(...page.items);
    path = page.next;
  }
  return all;
}
