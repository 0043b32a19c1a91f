import type { RecordedFrame } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { ALL_FRAME_KINDS } from '../../recordings.ts';
import type { CheckScope } from '../check.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { vehiclesInAnswers } from './presence-in-answers.ts';
import { RunTimes, type Span } from './run-times.ts';

/**
 * Checks the last contact in each answer (docs/api.md, Vehicles) against what the box did: there is none after it had
 * left, and none at a time at which nothing that it had sent can have arrived. What was sent during a fault may have
 * waited for its duration, and is excluded. A will comes from the broker, and a retained frame is older than its
 * arrival: neither is contact. Resolves with the number of contacts.
 */
export async function judgeContactInAnswers(scope: CheckScope, findings: Findings): Promise<number> {
  const { evidence, vehicles, factsDropped } = scope;
  const calls = await evidence.calls();
  const { calls: callsLost, frames: framesLost } = evidence.unrecorded();
  if (factsDropped > 0 || callsLost > 0) return 0;
  const times = new RunTimes(scope);
  const sent = new Map<SimulatedVehicle, readonly number[]>();
  let count = 0;
  for (const { call, vehicle, told: answer } of vehiclesInAnswers(calls, vehicles)) {
    const { last_contact_at: told } = answer;
    if (typeof told !== 'string') continue;
    const about = { vehicle, atMs: call.answeredMs };
    const contactMs = Date.parse(told);
    const silentMs = silentSinceMs(vehicle, call, times);
    if (silentMs !== undefined) {
      count += 1;
      if (contactMs > silentMs)
        findings.add(
          'a contact with a box that was away',
          `${nameOf(vehicle)}: the answer to call ${call.call} says ${told}, and its box had left at ${new Date(silentMs - limits.calmMs).toISOString()}`,
          about,
        );
    }
    if (framesLost > 0) continue;
    const sentMs = sent.get(vehicle) ?? (await sentTimes(evidence.frames(vehicle, ALL_FRAME_KINDS)));
    sent.set(vehicle, sentMs);
    // Times are reported in whole seconds, rounded down.
    const lastMs = sentMs.findLast((atMs) => atMs <= contactMs + 999);
    if (lastMs === undefined) continue;
    count += 1;
    if (contactMs > lastMs + limits.calmMs && hadArrived(vehicle, lastMs, contactMs, times))
      findings.add(
        'a contact at which the box said nothing',
        `${nameOf(vehicle)}: the answer to call ${call.call} says ${told}, and the last that its box had sent by then was of ${new Date(lastMs).toISOString()}`,
        about,
      );
  }
  return count;
}

/** When the box sent something, in ascending order, as frames are recorded. */
async function sentTimes(pages: AsyncIterable<readonly RecordedFrame[]>): Promise<readonly number[]> {
  const times: number[] = [];
  for await (const page of pages)
    for (const { direction, atMs, message } of page)
      if (direction === 'up' && message.kind !== 'gone') times.push(atMs);
  return times;
}

/** Whether all that the box had sent by then had reached the service before the reported time. */
function hadArrived(vehicle: SimulatedVehicle, sentMs: number, toldMs: number, times: RunTimes): boolean {
  return (
    times.isCalm({ fromMs: sentMs, toMs: sentMs + limits.calmMs }, vehicle) &&
    !times.mayArriveLate(vehicle, { fromMs: sentMs, toMs: toldMs })
  );
}

/**
 * From when on nothing that the box sent can have reached the service: it has left, all that it had sent before had
 * time to arrive, and since then it has been away and has not connected; undefined: this does not apply, or is unknown.
 */
function silentSinceMs(
  vehicle: SimulatedVehicle,
  { askedMs, answeredMs }: { readonly askedMs: number; readonly answeredMs: number },
  times: RunTimes,
): number | undefined {
  const leftMs = times.leftMs(vehicle, askedMs);
  if (leftMs === undefined) return undefined;
  const silentMs = leftMs + limits.calmMs;
  if (silentMs >= askedMs || !times.isAwayThroughout(vehicle, { fromMs: leftMs + 1, toMs: answeredMs }))
    return undefined;
  // Its birth and its hello are contact, and come before the session is ready.
  if (times.nextConnectMs(vehicle, leftMs) <= answeredMs) return undefined;
  const arrives: Span = { fromMs: leftMs, toMs: silentMs };
  const isLate = !times.isCalm(arrives) || times.isUnderOther(LEAVES, vehicle, arrives);
  return isLate ? undefined : silentMs;
}

/** What takes a box off the air without delaying messages in transit. */
const LEAVES: readonly string[] = ['weather coverage', 'weather sim', 'weather cut'];
