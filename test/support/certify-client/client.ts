import { connect } from 'amqplib';
import type { ClientVariables } from '../../../deployment/shared/client-variables.ts';
import type { ClientFault } from './faults.ts';
import { MessageReader } from './message-reader.ts';
import { Requests } from './requests.ts';

/** Commands that the client sends to each vehicle in turn. */
const COMMANDS = ['unlock-central-lock', 'lock-central-lock', 'unlock-top-case'];

/**
 * A small client of the service, as one writes it: a worker for each vehicle that locks and unlocks it, and a consumer of
 * its messages. With a fault it does one thing wrong. It runs until `ended`.
 */
export async function runClient(
  variables: ClientVariables,
  fault: ClientFault | undefined,
  ended: AbortSignal,
): Promise<void> {
  const requests = new Requests(variables, fault, ended);
  const reader = new MessageReader(variables, fault, ended, connect);
  const consuming = reader.run();
  const vehicles = await requests.vehicles();
  await Promise.all([consuming, ...vehicles.map((id) => work(requests, id, fault, ended))]);
}

/** Goes through the commands of one vehicle. What it does not have is left out from then on. */
async function work(
  requests: Requests,
  vehicleId: string,
  fault: ClientFault | undefined,
  ended: AbortSignal,
): Promise<void> {
  const hopeless = new Set<string>();
  for (let turn = 0; !ended.aborted; turn++) {
    const command = COMMANDS[turn % COMMANDS.length] ?? '';
    if (hopeless.size === COMMANDS.length) return;
    if (hopeless.has(command)) continue;
    const path = `/vehicles/${vehicleId}/commands/${command}`;
    for (let attempt = 0; !ended.aborted; attempt++) {
      const answer = await requests.send('POST', path);
      if (answer === undefined) return;
      if (fault === 'gives-up' && answer.status >= 500) return;
      const wait = waitAfter(answer.status, answer.problem, attempt, fault);
      if (wait.kind === 'next') break;
      if (wait.kind === 'never') {
        hopeless.add(command);
        break;
      }
      await requests.pause(wait.pauseMs);
      if (wait.kind === 'new-turn') break;
      // The command may have been carried out.
      if (answer.status === 504 && fault !== 'repeats-after-504') await requests.look(vehicleId);
    }
    await requests.pause(300);
  }
}

type Wait =
  | { readonly kind: 'next' }
  | { readonly kind: 'never' }
  | { readonly kind: 'again' | 'new-turn'; readonly pauseMs: number };

function waitAfter(status: number, problem: string, attempt: number, fault: ClientFault | undefined): Wait {
  const growing = 600 * 2 ** Math.min(attempt, 4);
  if (status < 400) return { kind: 'next' };
  if (status >= 500) return { kind: 'again', pauseMs: fault === 'no-back-off' ? 20 : growing };
  if (status === 409 && !/not-supported|incompatible|shared/.test(problem))
    return fault === 'hammers-conflicts'
      ? { kind: 'again', pauseMs: 100 }
      : { kind: 'new-turn', pauseMs: Math.max(growing, 2_000) };
  if (fault === 'repeats-refused' && attempt < 5) return { kind: 'again', pauseMs: 1_000 };
  // An operator may give the permission back.
  return status === 403 ? { kind: 'new-turn', pauseMs: 12_000 } : { kind: 'never' };
}
