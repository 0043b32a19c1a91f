import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { keyIdOf } from '../../world/crypto/real-crypto.ts';
import { errorText } from '../../world/error-text.ts';
import { fetchWithAccount } from '../shared/account-url.ts';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';
import { withoutPassword } from '../shared/user-errors.ts';
import { addressFilesIn, readReadyFile, simulatorsOf } from './address-files.ts';
import { findIdentity } from './data-directory.ts';

/** The two addresses of a running `up`. */
export type ApiName = 'api' | 'simulator';

/** A service or a simulator that answers. */
export interface RunningPart {
  /** Without a trailing slash. */
  readonly address: string;
  /** The installation that answers; undefined: it does not say, like a foreign service. */
  readonly installation: string | undefined;
}

/** What answers at an address. `other`: an unrelated server, such as a proxy before the API. */
type AddressAnswer =
  | { readonly kind: ApiName | 'other'; readonly installation?: string | undefined }
  | { readonly kind: 'nobody'; readonly reason: string };

/** The user's options for the addresses. */
export interface AddressOptions {
  /** Given by --url and --simulator; absent: the address in the data directory. */
  readonly url?: string | undefined;
  readonly simulator?: string | undefined;
  /** Data directory of the running `up`, or of its parts. */
  readonly data: string;
  /** A given address is used even if another installation answers there. */
  readonly force?: boolean | undefined;
  /** False: the command takes no address, only a data directory. Absent: true. */
  readonly takesAddress?: boolean;
}

const APIS = {
  api: { option: '--url', name: 'the API' },
  simulator: { option: '--simulator', name: 'the simulator' },
} as const;

const OTHER: Readonly<Record<ApiName, ApiName>> = { api: 'simulator', simulator: 'api' };

/**
 * The service or the simulator of a data directory: at the given address, or at the one that its part has written
 * there. No other address is tried: another installation may use a default port. Throws a `CommandError` where nothing
 * answers, where something else does, and where it belongs to another installation than the data directory.
 */
export async function addressOf(api: ApiName, options: AddressOptions): Promise<RunningPart> {
  return findRunning(api, options, await installationIn(options.data));
}

/** Both of one installation: that of the data directory, or where it has none, that of the service. */
export async function addressesOf(
  options: AddressOptions,
): Promise<{ readonly api: RunningPart; readonly simulator: RunningPart }> {
  const wanted = await installationIn(options.data);
  const api = await findRunning('api', options, wanted);
  const ofApi = api.installation === undefined ? undefined : { id: api.installation, name: api.address };
  return { api, simulator: await findRunning('simulator', options, wanted ?? ofApi) };
}

/** The installation that is meant. */
interface WantedInstallation {
  readonly id: string;
  /** Its source: a data directory or an address. */
  readonly name: string;
}

/** The installation of a data directory; undefined: nothing was started there yet. Throws a `CommandError`. */
export async function installationIn(data: string): Promise<WantedInstallation | undefined> {
  const identity = findIdentity(data);
  return identity && { id: await keyIdOf(identity.signing_key), name: resolve(data) };
}

/**
 * Throws a `CommandError` where the service or control API at this address belongs to another installation than the
 * data directory. One that shows no installation is accepted: it is not of this program.
 */
export async function refuseOtherInstallation(address: string, option: string, data: string): Promise<void> {
  const wanted = await installationIn(data);
  const found = await answerAt(address);
  if (wanted === undefined || found.kind === 'nobody' || found.kind === 'other') return;
  if (found.installation === undefined) return;
  if (found.installation !== wanted.id)
    throw new CommandError(
      `${otherInstallation(found.kind, `${address} (${option})`, found.installation, wanted)} ${FORCE}`,
    );
}

async function findRunning(
  api: ApiName,
  options: AddressOptions,
  wanted: WantedInstallation | undefined,
): Promise<RunningPart> {
  const { option, name } = APIS[api];
  const given = givenOf(api, options);
  const tried: string[] = [];
  for (const url of given === undefined ? await writtenIn(api, options.data) : [given]) {
    const address = withoutSlash(url);
    const shown = withoutPassword(address);
    const found = await answerAt(address);
    if (found.kind === 'nobody') tried.push(`There is no answer from ${shown} (${found.reason}).`);
    else if (found.kind === OTHER[api]) tried.push(mistakenText(api, shown, options));
    else if (found.kind === 'other' && (api === 'simulator' || given === undefined))
      tried.push(`Something other than ${name} answers at ${shown}.`);
    else if (isOfOther(found.installation, wanted, options, given !== undefined))
      tried.push(otherInstallation(api, shown, found.installation, wanted));
    else return { address, installation: found.installation };
  }
  const folder = resolve(options.data);
  if (given !== undefined)
    throw new CommandError(
      `${tried.join(' ')} ${tried.some((text) => text.includes(NOTHING_DONE)) ? FORCE : `Is "boxtwin up" running? Name its data directory with --data, or give ${name}'s address, which "boxtwin status" shows, with ${option}.`}`,
    );
  if (tried.length > 0)
    throw new CommandError(
      `${tried.join(' ')} That is the address in ${folder}: what wrote it has ended. Start it again, or name another data directory with --data.`,
    );
  const remedy =
    options.takesAddress === false
      ? 'Start one, or name its data directory with --data.'
      : `Start one, name its data directory with --data, or give ${name}'s address with ${option}.`;
  throw new CommandError(`${nothingRunsText(api, folder)} ${remedy}`);
}

/** A data directory that is not there: the beginning of a sentence. */
export function missingFolderText(folder: string): string {
  return `There is no folder ${folder}`;
}

/** Why nothing runs on a data directory: there may be none. */
function nothingRunsText(api: ApiName, folder: string): string {
  const what = api === 'api' ? '"boxtwin up" or "boxtwin backend"' : '"boxtwin up" or "boxtwin fleet"';
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return `${missingFolderText(folder)}, so no ${what} runs on it.`;
  if (!there.isDirectory()) return `${folder} is no folder, so no ${what} runs on it.`;
  const files = addressFilesIn(folder);
  return `No ${what} runs on ${folder}${files.length === 0 ? '' : ` (it has only ${files.join(', ')})`}.`;
}

/** The addresses in a data directory, the likelier first. */
async function writtenIn(api: ApiName, data: string): Promise<readonly string[]> {
  if (api === 'simulator') return simulatorsOf(data);
  const ready = await readReadyFile(data);
  return ready === undefined ? [] : [ready.base_url];
}

/** An address of the data directory must belong to its installation; a given one may be of an unknown one. */
function isOfOther(
  found: string | undefined,
  wanted: WantedInstallation | undefined,
  { force = false }: AddressOptions,
  isGiven: boolean,
): boolean {
  if (wanted === undefined || found === wanted.id) return false;
  return !isGiven || (found !== undefined && !force);
}

const NOTHING_DONE = 'Nothing was done.';
const FORCE =
  'Name the data directory of that installation with --data, or give --force to use this address anyway.';

function otherInstallation(
  api: ApiName,
  address: string,
  found: string | undefined,
  wanted: WantedInstallation | undefined,
): string {
  const whose = found === undefined ? 'shows no installation' : `belongs to the installation ${found}`;
  const { name } = APIS[api];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} at ${address} ${whose}, and ${wanted?.name ?? ''} is the installation ${wanted?.id ?? ''}. ${NOTHING_DONE}`;
}

/** The address is that of the other API. If both are, they are swapped. */
function mistakenText(api: ApiName, address: string, options: AddressOptions): string {
  const { option, name } = APIS[api];
  const other = OTHER[api];
  const isGiven = givenOf(api, options) !== undefined;
  const place = isGiven ? `${address} (${option})` : address;
  const advice =
    isGiven && givenOf(other, options) !== undefined
      ? ` Perhaps --url and --simulator are swapped.`
      : ` Look at the line "${api === 'api' ? 'API' : api}" of "boxtwin status".`;
  return `The address ${place} is that of ${APIS[other].name}, and not of ${name}.${isGiven ? advice : ''}`;
}

function givenOf(api: ApiName, { url, simulator }: AddressOptions): string | undefined {
  return api === 'api' ? url : simulator;
}

const apiRoot = z.looseObject({
  links: z.looseObject({ openapi: z.string() }),
  installation: z.string().optional(),
});
const simulatorRoot = z.looseObject({
  what: z.string(),
  boxes: z.int(),
  installation: z.string().optional(),
});

async function answerAt(address: string): Promise<AddressAnswer> {
  try {
    const answer = await fetchWithAccount(`${withoutSlash(address)}/`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(limits.placeTimeoutMs),
    });
    const body: unknown = await answer.json().catch(() => undefined);
    const api = apiRoot.safeParse(body);
    if (api.success) return { kind: 'api', installation: api.data.installation };
    const simulator = simulatorRoot.safeParse(body);
    if (simulator.success) return { kind: 'simulator', installation: simulator.data.installation };
    return { kind: 'other' };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { kind: 'nobody', reason: errorText(cause) };
  }
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
