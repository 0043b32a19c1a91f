import { PROBLEMS } from '../../contract/problems.ts';
import type { AnsweredCall } from '../evidence/evidence.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import type { Checker, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { SharingRecording } from './sharing-recording.ts';

const VEHICLE = /^\/vehicles\/([^/?]+)(\/[^?]*)?/;
const LIST = /^\/vehicles(?:\?|$)/;

/**
 * Compares answers and queues with the plan of the scenario, which alone defines the owner of a vehicle, and with the
 * owners' recording of sharing: no list contains a vehicle of another fleet, no answer but 404 reveals one, unless it
 * may have been shared at that time, and then only for reads and commands; and no queue holds a message of another
 * fleet's vehicle.
 */
export const fleetsApart: Checker = async (scope) => {
  const { evidence, testbed } = scope;
  const findings = new Findings();
  const vehiclesById = new Map(scope.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  vehiclesById.delete('');
  const calls = await evidence.calls();
  const sharing = new SharingRecording(calls, testbed.fleetId('partner'));
  const fleetOf = fleetsOfClients(scope);
  for (const call of calls) {
    const fleetId = fleetOf.get(call.as);
    if (fleetId === undefined || call.status === 0) continue;
    for (const { vehicle, why } of wronglySeen(call, fleetId, vehiclesById, sharing))
      findings.add(
        'a vehicle of another fleet',
        `call ${call.call}, ${call.method} ${call.path} as ${call.as} of ${fleetId}, answered ${call.status}: ${nameOf(vehicle)} is of ${vehicle.fleetId}${why}`,
        { vehicle, atMs: call.answeredMs },
      );
  }
  let messages = 0;
  for (const { name: queue, fleetId } of await evidence.queues()) {
    for await (const page of evidence.messages(queue)) {
      for (const message of page) {
        const { messageId, vehicleId, name, atMs } = message;
        messages += 1;
        const vehicle = vehiclesById.get(vehicleId);
        const of = vehicle?.fleetId ?? fleetInMessage(message.body);
        if (of === undefined || of === fleetId) continue;
        const who = vehicle === undefined ? `vehicle ${vehicleId}` : nameOf(vehicle);
        findings.add(
          'a message of another fleet',
          `message ${messageId} (${name}) of ${who} of ${of} lies in ${queue} of ${fleetId}`,
          { vehicle, atMs },
        );
      }
    }
  }
  return findings.result([
    [calls.length, 'answer'],
    [messages, 'message'],
  ]);
};

/** What a call has revealed of vehicles of other fleets, and should not have. */
function* wronglySeen(
  call: AnsweredCall,
  fleetId: string,
  vehiclesById: ReadonlyMap<string, SimulatedVehicle>,
  sharing: SharingRecording,
): Generator<{ readonly vehicle: SimulatedVehicle; readonly why: string }> {
  const { method, path, status, askedMs, answeredMs } = call;
  const isShared = ({ vehicleId }: SimulatedVehicle) =>
    sharing.mayHaveBeenShared(vehicleId, fleetId, askedMs, answeredMs);
  if (method === 'GET' && LIST.test(path)) {
    for (const id of idsIn(call.body)) {
      const vehicle = vehiclesById.get(id);
      if (vehicle !== undefined && vehicle.fleetId !== fleetId && !isShared(vehicle))
        yield { vehicle, why: '' };
    }
    return;
  }
  const [, vehicleId = '', below = ''] = VEHICLE.exec(path) ?? [];
  const vehicle = vehiclesById.get(vehicleId);
  if (vehicle === undefined || vehicle.fleetId === fleetId) return;
  if (!isShared(vehicle)) {
    if (tellsOfVehicle(call)) yield { vehicle, why: '' };
    return;
  }
  const isOwners = method !== 'GET' && !/^\/(?:box-|box-connectivity-)?commands\//.test(below);
  if (isOwners && status < 300) yield { vehicle, why: ', and shared is only to be seen and commanded' };
}

/**
 * A refusal because of the caller, or before the vehicle was looked up, reveals nothing of it. Nor does a failing
 * service: with its store down it answers the same for every id.
 */
function tellsOfVehicle({ status, problem }: AnsweredCall): boolean {
  if (status < 400 || status === 409) return true;
  return status >= 500 && problem !== PROBLEMS['internal-server-error'].type;
}

function idsIn(body: unknown): readonly string[] {
  const { items } = (typeof body === 'object' && body !== null ? body : {}) as { readonly items?: unknown };
  return Array.isArray(items) ? items.map((item: { readonly id?: unknown }) => String(item.id)) : [];
}

/** The owner that a message names: for deleted vehicles. */
function fleetInMessage(body: unknown): string | undefined {
  const { data } = (body ?? {}) as { readonly data?: { readonly fleet_id?: unknown } };
  return typeof data?.fleet_id === 'string' ? data.fleet_id : undefined;
}

/** The fleet of each client that has a valid token, by the plan of the run. */
export function fleetsOfClients({ plan, testbed }: CheckScope): ReadonlyMap<string, string> {
  return new Map([
    ['owner', testbed.fleetId('own')],
    ['partner', testbed.fleetId('partner')],
    ['stranger', testbed.fleetId('stranger')],
    ...plan.clients.map(({ name, fleet }): [string, string] => [name, testbed.fleetId(fleet)]),
  ]);
}
