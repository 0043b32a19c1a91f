import type { AnsweredCall, SetupFact } from '../evidence/evidence.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import type { CheckScope } from './check.ts';
import { type Findings, nameOf } from './findings.ts';
import { allMessages, STATE_TOPIC } from './queue-messages.ts';

const ENDS: ReadonlySet<string> = new Set<SetupFact['status']>(['SUCCEEDED', 'FAILED']);

/**
 * Each setup ends once: an end that an answer reported does not change, a failure has its reason, and no message
 * contains the state of a vehicle that is not set up. Setups that have not ended are checked by `heals`.
 */
export async function judgeSetups(
  { evidence, vehicles }: CheckScope,
  calls: readonly AnsweredCall[],
  findings: Findings,
): Promise<void> {
  const setups = new Map<string, { readonly vehicle: SimulatedVehicle; readonly setup: SetupFact }>();
  for (const vehicle of vehicles) {
    const setup = await evidence.setup(vehicle);
    if (setup !== undefined) setups.set(vehicle.vehicleId, { vehicle, setup });
  }
  const told = reportedEnds(calls, findings);
  for (const { vehicle, setup } of setups.values()) {
    const { status, detail } = setup;
    if (status === 'FAILED' && detail === '')
      findings.add('a failure without a reason', `the setup of ${nameOf(vehicle)}`, { vehicle });
    const once = told.get(vehicle.vehicleId);
    if (once !== undefined && once.status !== status)
      findings.add(
        'a setup that ended twice',
        `the answer to call ${once.call} said ${once.status} of ${nameOf(vehicle)}, and now it is ${status}`,
        { vehicle },
      );
  }
  if ([...setups.values()].every(({ setup }) => setup.status === 'SUCCEEDED')) return;
  for await (const page of allMessages(evidence)) {
    for (const { queue, messageId, vehicleId, atMs } of page) {
      const of = setups.get(vehicleId);
      if (!queue.startsWith(STATE_TOPIC) || of === undefined || of.setup.status === 'SUCCEEDED') continue;
      findings.add(
        'a message of a vehicle that is not set up',
        `message ${messageId} tells the state of ${nameOf(of.vehicle)}, whose setup is ${of.setup.status}`,
        { vehicle: of.vehicle, atMs },
      );
    }
  }
}

interface ReportedEnd {
  readonly status: string;
  readonly call: number;
}

/** The first reported end of each setup; a different later one is a finding. */
function reportedEnds(calls: readonly AnsweredCall[], findings: Findings): ReadonlyMap<string, ReportedEnd> {
  const told = new Map<string, ReportedEnd>();
  for (const { call, method, path, status, body, answeredMs } of calls) {
    const vehicleId = /^\/vehicles\/([^/?]+)$/.exec(path)?.[1];
    if (vehicleId === undefined || status !== 200) continue;
    // Another box may be installed: its setup is another one.
    if (method !== 'GET') told.delete(vehicleId);
    const { setup_status: said } = (body ?? {}) as { readonly setup_status?: string };
    const before = told.get(vehicleId);
    if (before !== undefined && said !== undefined && said !== before.status)
      findings.add(
        'a setup that ended twice',
        `vehicle ${vehicleId}: ${before.status} by call ${before.call}, ${said} by call ${call}`,
        { atMs: answeredMs },
      );
    else if (said !== undefined && ENDS.has(said)) told.set(vehicleId, { status: said, call });
  }
  return told;
}
