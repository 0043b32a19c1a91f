import pc from 'picocolors';
import { readReadyFile } from '../../../deployment/directory/address-files.ts';
import { addressOf } from '../../../deployment/directory/running-addresses.ts';
import {
  accessToken,
  callService,
  type ServiceAccount,
  sendToService,
} from '../../../deployment/http/service-client.ts';
import { inputText, STANDARD_INPUT } from '../../../deployment/input/input-file.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { listed } from '../../../judge/wording.ts';
import { jsonObject } from '../../../world/json.ts';
import { limits } from '../../shared/limits.ts';
import { printable, written } from '../../shared/output.ts';
import { nearestPaths, vehiclePathText } from './api-paths.ts';

/** How the service and its client are named on the command line. */
export interface ServiceOptions {
  /** Data directory of the running `up`, or of its `backend`. */
  readonly data: string;
  /** The address of the API; absent: the one in `data`. */
  readonly url?: string;
  /** Absent: the client that `up` has made for its user. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly force: boolean;
}

export interface ApiOptions extends ServiceOptions {
  /** JSON, `@FILE`, or `-` for standard input. */
  readonly body?: string;
  /** Print the status and the headers first. */
  readonly include: boolean;
  /** Raw on a terminal too. */
  readonly raw: boolean;
}

/** Prints an access token, and nothing else. Throws a `CommandError` where the service refuses the client. */
export async function token(options: ServiceOptions): Promise<void> {
  process.stdout.write(`${await accessToken(await runningService(options))}\n`);
}

/**
 * Sends one request to the API with a new token, and prints its answer: formatted on a terminal, byte for byte in a
 * pipe. Throws a `CommandError` with exit code 1 for an answer of 400 or above.
 */
export async function api(method: string, path: string, options: ApiOptions): Promise<void> {
  const service = await runningService(options);
  const wanted = pathAt(service.base_url, path);
  const body = options.body === undefined ? undefined : requestBody(options.body);
  const answer = await sendToService(service, method.toUpperCase(), wanted, {
    authorization: `Bearer ${await accessToken(service)}`,
    ...(body === undefined ? {} : { contentType: 'application/json', body }),
    withinMs: limits.apiAnswerMs,
  });
  const text = await answer.text();
  if (options.include) process.stdout.write(`${headText(answer)}\n`);
  const isRaw = options.raw || process.stdout.isTTY !== true;
  await written(isRaw ? text : readable(text));
  if (answer.status < 400) return;
  const hint = answer.status === 404 ? await pathHint(service, wanted) : '';
  throw new CommandError(`The service answered ${answer.status}${reasonIn(text)}${hint}`, 1);
}

/** What to do about a path that the API may not have: empty where it has it, or where it does not say which it has. */
async function pathHint(service: ServiceAccount, path: string): Promise<string> {
  try {
    const document = jsonObject(await callService(service, 'GET', '/openapi.json'));
    const paths = Object.keys(jsonObject(document['paths']));
    const near = nearestPaths(path, paths);
    if (near.length > 0) return ` Did you mean ${listed(near)}?`;
    const text = vehiclePathText(path, paths);
    return text === undefined ? '' : ` ${text}`;
  } catch (error) {
    if (error instanceof CommandError) return '';
    throw error;
  }
}

/** A path of the API, also given with its address. Throws a `CommandError` for an address of something else. */
function pathAt(baseUrl: string, given: string): string {
  if (given === baseUrl) return '/';
  if (given.startsWith(`${baseUrl}/`)) return given.slice(baseUrl.length);
  if (/^[a-z]+:\/\//i.test(given))
    throw new CommandError(`${given} is not at the API, ${baseUrl}: give a path, such as /vehicles.`);
  return given.startsWith('/') ? given : `/${given}`;
}

/** Throws a `CommandError` where the file cannot be read. Invalid JSON is sent as it is: the service answers it. */
export function requestBody(given: string): string {
  if (given !== '-' && !given.startsWith('@')) return given;
  return inputText('body', given === '-' ? STANDARD_INPUT : given.slice(1));
}

function headText(answer: Response): string {
  const lines = [...answer.headers].map(([name, value]) => `${pc.dim(`${name}:`)} ${printable(value)}`);
  return [`${answer.status} ${answer.statusText}`, ...lines, ''].join('\n');
}

function readable(text: string): string {
  if (text === '') return '';
  try {
    return `${colouredJson(JSON.parse(text))}\n`;
  } catch {
    return `${printable(text)}\n`;
  }
}

function reasonIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === 'string' ? `: ${detail}` : '.';
  } catch {
    return '.';
  }
}

/** The running service and the client to call it with. Throws a `CommandError` where either is missing. */
async function runningService(options: ServiceOptions): Promise<ServiceAccount> {
  const { clientId, clientSecret, data } = options;
  if ((clientId === undefined) !== (clientSecret === undefined))
    throw new CommandError('--client-id and --client-secret belong together.');
  const { address, installation } = await addressOf('api', options);
  if (clientId !== undefined && clientSecret !== undefined)
    return { base_url: address, client_id: clientId, client_secret: clientSecret, installation };
  const ready = await readReadyFile(data);
  if (ready === undefined)
    throw new CommandError(
      `${data} has no client of a running "boxtwin up". Name its data directory with --data, or give --client-id and --client-secret.`,
    );
  return { ...ready, base_url: address, installation };
}

/** A JSON value as text with an indent of two, names and values in colours where the terminal has them. */
export function colouredJson(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const items = value.map((item: unknown) => `${indent}  ${colouredJson(item, `${indent}  `)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    const lines = entries.map(
      ([name, item]) => `${indent}  ${pc.blue(quoted(name))}: ${colouredJson(item, `${indent}  `)}`,
    );
    return `{\n${lines.join(',\n')}\n${indent}}`;
  }
  if (typeof value === 'string') return pc.green(quoted(value));
  return typeof value === 'number' ? pc.yellow(JSON.stringify(value)) : pc.magenta(JSON.stringify(value));
}

function quoted(text: string): string {
  return printable(JSON.stringify(text));
}
