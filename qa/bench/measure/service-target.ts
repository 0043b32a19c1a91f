import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endChild, lineOf } from './children.ts';
import { processorSecondsWithChildren } from './processor-time.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/boxtwin.js', import.meta.url));
const PAGE = 100;
const READY_ATTEMPTS = 60;
const BETWEEN_MS = 500;

/** A running `up`, with a token of the client that may do everything. */
export interface ServiceTarget {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The processor time of all its processes so far, in seconds; NaN where there is no /proc. */
  cpuS(): number;
  end(): Promise<void>;
}

/** Starts `up` without a quota, radio delays or drivers, in a data directory of its own. */
export async function startService(
  vehicles: number,
  processes: 'one' | 'several' = 'one',
): Promise<ServiceTarget> {
  const data = mkdtempSync(join(tmpdir(), 'boxtwin-bench-'));
  const options = ['--vehicles', `${vehicles}`, '--radio', 'ideal', '--drivers', 'off', '--json'];
  options.push('--processes', processes);
  const child = spawn(
    process.execPath,
    [COMMAND, 'up', ...options, '--rate-limit', '1000000', '--data', data],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ready = await lineOf<ReadyLine>(child);
  return {
    baseUrl: ready.base_url,
    headers: await signedIn(ready),
    cpuS: () => processorSecondsWithChildren(child.pid) ?? Number.NaN,
    async end() {
      await endChild(child);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The ready line of `up` and `backend`, as far as it is needed here. */
export interface ReadyLine {
  readonly base_url: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** The headers of a request with a new token. */
export async function signedIn(ready: ReadyLine): Promise<Readonly<Record<string, string>>> {
  const basic = Buffer.from(`${ready.client_id}:${ready.client_secret}`).toString('base64');
  const answer = await fetch(`${ready.base_url}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
  });
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  return { authorization: `Bearer ${token}` };
}

/** The ids of vehicles with boxes, once a command to each is answered; those that do not answer are left out. */
export async function readyVehicles(
  api: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const answered: string[] = [];
  for await (const ids of pagesOf(api, headers)) answered.push(...(await readyOf(api, headers, ids)));
  return answered;
}

/** Those of the vehicles that answer a command, before long. */
export async function readyOf(
  api: string,
  headers: Readonly<Record<string, string>>,
  ids: readonly string[],
): Promise<readonly string[]> {
  const asked = await Promise.all(ids.map(async (id) => ((await isReady(api, headers, id)) ? [id] : [])));
  return asked.flat();
}

async function* pagesOf(
  api: string,
  headers: Readonly<Record<string, string>>,
): AsyncGenerator<readonly string[]> {
  let token: string | undefined = '';
  while (token !== undefined) {
    const more: string = token === '' ? '' : `&page_token=${token}`;
    const page = await fetch(`${api}/vehicles?limit=${PAGE}${more}`, { headers });
    const body = (await page.json()) as {
      readonly items: readonly { readonly id: string }[];
      readonly next_page_token?: string;
    };
    yield body.items.map(({ id }) => id);
    token = body.next_page_token;
  }
}

async function isReady(api: string, headers: Readonly<Record<string, string>>, id: string): Promise<boolean> {
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    const url = `${api}/vehicles/${id}/commands/request-vehicle-state`;
    const { ok } = await fetch(url, { method: 'POST', headers });
    if (ok) return true;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
  return false;
}
