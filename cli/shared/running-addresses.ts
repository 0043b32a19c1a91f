import { join } from 'node:path';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { DEFAULT_PORTS } from '../server/deployment-options.ts';
import { fetchWithAccount } from './account-url.ts';
import { CommandError } from './command-error.ts';
import { READY_FILE, readReadyFile } from './ready-file.ts';

/** The two addresses of a running `up`. */
export type ApiName = 'api' | 'simulator';

/** What stands at an address. `other`: something that says nothing of the kind, such as a proxy before the API. */
type AddressAnswer = ApiName | 'other' | { readonly unreachable: string };

/** What the user says of where to look. */
export interface AddressOptions {
  /** Given by --url and --simulator; absent: that of the `up` whose data directory it is, or else the usual one. */
  readonly url?: string | undefined;
  readonly simulator?: string | undefined;
  /** Data directory of the running `up`. */
  readonly data: string;
}

const APIS = {
  api: { option: '--url', name: 'the API', usual: `http://127.0.0.1:${DEFAULT_PORTS.api}` },
  simulator: {
    option: '--simulator',
    name: 'the simulator',
    usual: `http://127.0.0.1:${DEFAULT_PORTS.simulator}`,
  },
} as const;

const OTHER: Readonly<Record<ApiName, ApiName>> = { api: 'simulator', simulator: 'api' };

/**
 * The address at which this face of a running `up` answers, without a slash at its end: the one that is given, the one
 * that the data directory has, or the usual one. Throws a `CommandError` that says what stands there instead, and
 * what to do.
 */
export async function addressOf(api: ApiName, options: AddressOptions): Promise<string> {
  const { option, name } = APIS[api];
  const tried: string[] = [];
  for (const address of candidates(api, options)) {
    const standing = await answerAt(address);
    if (standing === api || (standing === 'other' && api === 'api')) return address;
    if (typeof standing === 'object') tried.push(`Nobody answers at ${address} (${standing.unreachable}).`);
    else if (standing === OTHER[api]) tried.push(mistakenText(api, address, options));
    else tried.push(`At ${address} stands something else than ${name}.`);
  }
  throw new CommandError(
    `${tried.join(' ')} Is "boxtwin up" running? Name its data directory with --data, or give ${name}'s address, which its banner shows, with ${option}.`,
  );
}

/** Each once, the likelier first. */
function candidates(api: ApiName, options: AddressOptions): readonly string[] {
  const given = givenOf(api, options);
  if (given !== undefined) return [withoutSlash(given)];
  const ready = readReadyFile(options.data);
  const known = api === 'api' ? ready?.base_url : (ready?.simulator_url ?? undefined);
  return [...new Set([...(known === undefined ? [] : [withoutSlash(known)]), APIS[api].usual])];
}

/** The one address stands for the other. Where both do, they are swapped. */
function mistakenText(api: ApiName, address: string, options: AddressOptions): string {
  const { option, name } = APIS[api];
  const other = OTHER[api];
  const isGiven = givenOf(api, options) !== undefined;
  const place = isGiven ? `${address} (${option})` : address;
  const advice =
    isGiven && givenOf(other, options) !== undefined
      ? ` Perhaps --url and --simulator are swapped.`
      : ` Look at the line "${api === 'api' ? 'API' : api}" of the banner.`;
  return `At ${place} stands ${APIS[other].name}, and not ${name}.${isGiven ? advice : ''}`;
}

function givenOf(api: ApiName, { url, simulator }: AddressOptions): string | undefined {
  return api === 'api' ? url : simulator;
}

const apiRoot = z.looseObject({ links: z.looseObject({ openapi: z.string() }) });
const simulatorRoot = z.looseObject({ what: z.string(), boxes: z.int() });

async function answerAt(address: string): Promise<AddressAnswer> {
  try {
    const answer = await fetchWithAccount(`${address}/`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(limits.placeTimeoutMs),
    });
    const body: unknown = await answer.json().catch(() => undefined);
    if (apiRoot.safeParse(body).success) return 'api';
    return simulatorRoot.safeParse(body).success ? 'simulator' : 'other';
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { unreachable: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Where a command that looks there by itself finds the addresses, for its help. */
export function addressHelp(api: ApiName): string {
  return `(default: as ${join('<data>', READY_FILE)} has it, or ${APIS[api].usual})`;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
