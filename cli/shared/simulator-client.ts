import { z } from 'zod';
import { addressOf } from '../../deployment/directory/running-addresses.ts';
import { installationHeaders } from '../../deployment/http/installation.ts';
import { fetchWithAccount } from '../../deployment/shared/account-url.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { withoutPassword } from '../../deployment/shared/user-errors.ts';
import { shellWord } from '../../world/shell-word.ts';
import { dataOption } from './data-option.ts';
import { limits } from './limits.ts';

/** How the simulator is named on the command line. */
export interface SimulatorOptions {
  /** Data directory of the running `up`, or of its `fleet`. */
  readonly data: string;
  /** Its address; absent: the one in `data`. */
  readonly simulator?: string;
  readonly force: boolean;
}

/** The answer of the simulator: its status and its parsed body. */
export interface SimulatorAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Calls the control API of one simulator. */
export type CallSimulator = (method: string, path: string, body?: unknown) => Promise<SimulatorAnswer>;

const refusal = z.looseObject({ detail: z.string() });

/** What leads a command to paste to the same simulator, with a blank before; empty for the usual one. */
export function simulatorOptions({ data, simulator }: Pick<SimulatorOptions, 'data' | 'simulator'>): string {
  const address = simulator === undefined ? '' : ` --simulator ${shellWord(withoutPassword(simulator))}`;
  return `${dataOption(data)}${address}`;
}

/** Throws a `CommandError` where no simulator runs there; the calls reject with one where it goes away. */
export async function simulatorClient(options: SimulatorOptions): Promise<CallSimulator> {
  const { address, installation } = await addressOf('simulator', options);
  return async (method, path, body) => {
    try {
      const answer = await fetchWithAccount(`${address}${path}`, {
        method,
        headers: {
          ...installationHeaders(installation),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(limits.simulatorAnswerMs),
      });
      return { status: answer.status, body: (await answer.json()) as unknown };
    } catch {
      throw new CommandError(`The simulator at ${address} has gone away: is "boxtwin up" still running?`, 1);
    }
  };
}

/** Why the simulator refused. */
export function simulatorRefusal({ status, body }: SimulatorAnswer): string {
  const read = refusal.safeParse(body);
  return read.success ? read.data.detail : `The simulator answered ${status}.`;
}
