import { PROBLEMS } from '../../backend/http/problem.ts';
import { counted } from '../language/counted.ts';
import type { AnsweredCall } from '../run/evidence.ts';
import type { Player } from '../run/theatre.ts';
import type { Check, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { SharingBook } from './sharing-book.ts';

const VEHICLE = /^\/vehicles\/([^/?]+)(\/[^?]*)?/;
const LIST = /^\/vehicles(?:\?|$)/;

/**
 * Compares answers and queues with the plan of the scenario, which alone says whose a vehicle is, and with the owners'
 * book of sharing: no list names a vehicle of another fleet, no answer but 404 tells of one, unless it may have been
 * shared at that time, and then only to be seen and commanded; and no queue holds a message of another fleet's vehicle.
 */
export const fleetsApart: Check = async (scope) => {
  const { evidence, theatre } = scope;
  const findings = new Findings();
  const owners = new Map(scope.players.map((player) => [player.vehicleId, player]));
  owners.delete('');
  const calls = await evidence.calls();
  const sharing = new SharingBook(calls, theatre.fleetId('partner'));
  const fleetOf = fleetsOfClients(scope);
  for (const call of calls) {
    const fleetId = fleetOf.get(call.as);
    if (fleetId === undefined || call.status === 0) continue;
    for (const { player, why } of seenBy(call, fleetId, owners, sharing))
      findings.say(
        'a vehicle of another fleet',
        `call ${call.call}, ${call.method} ${call.path} as ${call.as} of ${fleetId}, answered ${call.status}: ${nameOf(player)} is of ${player.fleetId}${why}`,
        { player, atMs: call.answeredMs },
      );
  }
  let messages = 0;
  for (const { name: queue, fleetId } of await evidence.queues()) {
    for await (const page of evidence.messages(queue)) {
      for (const message of page) {
        const { messageId, vehicleId, name, atMs } = message;
        messages += 1;
        const player = owners.get(vehicleId);
        const of = player?.fleetId ?? toldFleet(message.body);
        if (of === undefined || of === fleetId) continue;
        const who = player === undefined ? `vehicle ${vehicleId}` : nameOf(player);
        findings.say(
          'a message of another fleet',
          `message ${messageId} (${name}) of ${who} of ${of} lies in ${queue} of ${fleetId}`,
          { player, atMs },
        );
      }
    }
  }
  return findings.checked(`${counted(calls.length, 'answer')}, ${counted(messages, 'message')}`);
};

/** What a call has seen of vehicles that are not its fleet's, and should not have. */
function* seenBy(
  call: AnsweredCall,
  fleetId: string,
  owners: ReadonlyMap<string, Player>,
  sharing: SharingBook,
): Generator<{ readonly player: Player; readonly why: string }> {
  const { method, path, status, askedMs, answeredMs } = call;
  const isShared = ({ vehicleId }: Player) => sharing.mayHaveBeen(vehicleId, fleetId, askedMs, answeredMs);
  if (method === 'GET' && LIST.test(path)) {
    for (const id of idsIn(call.body)) {
      const player = owners.get(id);
      if (player !== undefined && player.fleetId !== fleetId && !isShared(player)) yield { player, why: '' };
    }
    return;
  }
  const [, vehicleId = '', below = ''] = VEHICLE.exec(path) ?? [];
  const player = owners.get(vehicleId);
  if (player === undefined || player.fleetId === fleetId) return;
  if (!isShared(player)) {
    if (tellsOfVehicle(call)) yield { player, why: '' };
    return;
  }
  const isOwners = method !== 'GET' && !/^\/(?:box-|box-connectivity-)?commands\//.test(below);
  if (isOwners && status < 300) yield { player, why: ', and shared is only to be seen and commanded' };
}

/**
 * What is refused for the caller's sake, or before anybody has looked for the vehicle, tells nothing of it. Nor does a
 * service that failed: with its store down it answers so for every id.
 */
function tellsOfVehicle({ status, problem }: AnsweredCall): boolean {
  if (status < 400 || status === 409) return true;
  return status >= 500 && problem !== PROBLEMS['internal-server-error'].type;
}

function idsIn(body: unknown): readonly string[] {
  const { items } = (typeof body === 'object' && body !== null ? body : {}) as { readonly items?: unknown };
  return Array.isArray(items) ? items.map((item: { readonly id?: unknown }) => String(item.id)) : [];
}

/** Whose vehicle a message says it is about: for vehicles that are no more. */
function toldFleet(body: unknown): string | undefined {
  const { data } = (body ?? {}) as { readonly data?: { readonly fleet_id?: unknown } };
  return typeof data?.fleet_id === 'string' ? data.fleet_id : undefined;
}

function fleetsOfClients({ scenario, theatre }: CheckScope): ReadonlyMap<string, string> {
  return new Map([
    ['owner', theatre.fleetId('own')],
    ['partner', theatre.fleetId('partner')],
    ['stranger', theatre.fleetId('stranger')],
    ...scenario.clients.map(({ name, fleet }): [string, string] => [name, theatre.fleetId(fleet)]),
  ]);
}
