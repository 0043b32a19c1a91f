import type { SessionRecord } from '../../../console/server/session-record.ts';
import type { ControlApi } from '../../../deployment/http/control-api.ts';
import { pause } from '../../../deployment/shared/pause.ts';
import { type Disturbance, drawDisturbance } from '../../../scenarios/explore/disturbance.ts';
import type { RandomSource } from '../../../scenarios/language/vary/draw.ts';
import type { FaultWord } from '../../../simulator/control/fault-api.ts';
import type { Time } from '../../../world/time/time.ts';
import { limits } from '../../shared/limits.ts';

/** What a swarm on a running fleet is played with. */
export interface RunningSwarmParts {
  readonly control: ControlApi;
  /** Records the actions, for a scenario that repeats them. */
  readonly session: SessionRecord;
  readonly time: Time;
  readonly source: RandomSource;
  readonly lengthMs: number;
  /** Ends it early. */
  readonly ended: AbortSignal;
  tell(done: DoneDisturbance): void;
}

/** One attempt; `refusal`: why it was not possible, such as driving a locked vehicle. */
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
 * Draws and performs one action after the other until the time is over, and removes the faults that it has applied.
 * Rejects where nothing answers, or there is no vehicle. Resolves with the vehicles whose box was ready before it.
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

/**
 * Removes those that are still active: most have ended on their own. Never rejects: where nothing answers, none is
 * active.
 */
async function lift(control: ControlApi, laid: ReadonlySet<string>): Promise<void> {
  try {
    const { in_force: inForce } = (await control('GET', '/faults')) as {
      readonly in_force: readonly { readonly id: string }[];
    };
    const own = inForce.filter(({ id }) => laid.has(id));
    await Promise.allSettled(own.map(({ id }) => control('DELETE', `/faults/${id}`)));
  } catch {
    // The process that applied them has ended, and so have they.
  }
}

/** There is nothing for a swarm to act on. */
export class NothingToDisturb extends Error {
  override name = 'NothingToDisturb';
}

/** Performs it; resolves with why that was not possible, if so. Rejects where nothing answers. */
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

/** What differs from before. */
export interface NotBack {
  /** Vehicles whose box was ready, and has no session though it has power. */
  readonly vehicles: readonly string[];
  /** The status of the service, where it is not ready; undefined: it is ready. */
  readonly service: string | undefined;
}

/**
 * Waits until the service is ready and the box of each of these vehicles has its session again, within bounds. A
 * sleeping box counts as recovered: it wakes on its own. Resolves with what has not recovered, undefined where
 * everything has.
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
