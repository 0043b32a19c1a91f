import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

// The parts that run on a data directory write their addresses there, each into a separate file, for commands and for
// each other. A file holds secrets, so only its owner may read it. It survives a kill -9: its reader first checks to
// which installation an address belongs.

/** Of `up`, or of `backend`: its ready line. */
export const READY_FILE = 'ready.json';
/** Of `brokers`: addresses with the accounts of the service. */
export const BROKERS_FILE = 'brokers.json';

/** Of `fleet`: the whole, or one shard. */
export function fleetFileOf(shard: { readonly index: number; readonly count: number } | undefined): string {
  return shard === undefined ? 'fleet.json' : `fleet-${shard.index}-of-${shard.count}.json`;
}

const FLEET_FILE = /^fleet(?:-(\d+)-of-\d+)?\.json$/;

const url = z.string().refine((text) => URL.canParse(text));

const ready = z.looseObject({
  base_url: url,
  simulator_url: url.nullish(),
  client_id: z.string(),
  client_secret: z.string(),
  amqp_url: z.string().nullish(),
  console_url: z.string().nullish(),
});

const brokers = z.looseObject({
  mqtt_url: url,
  amqp_url: url,
  amqp_admin_url: url,
});

const fleet = z.looseObject({ simulator_url: url, console_url: z.string().nullish() });

export type ReadyFile = z.infer<typeof ready>;
export type BrokersFile = z.infer<typeof brokers>;

/** Writes the addresses of a part: one line of JSON. */
export function writeAddressFile(folder: string, name: string, line: string): void {
  const path = join(folder, name);
  // Written to another file and renamed: readers find the whole of it or none.
  writeFileSync(`${path}.new`, `${line}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** The part that wrote this line has ended. The line of a part that was started later on the same directory stays. */
export function removeAddressFile(folder: string, name: string, line: string): void {
  const path = join(folder, name);
  try {
    if (readFileSync(path, 'utf8') !== `${line}\n`) return;
  } catch {
    // It does not exist, or cannot be read: then it is useless to others too.
  }
  rmSync(path, { force: true });
}

/** Undefined: neither `up` nor `backend` runs there. */
export function readReadyFile(folder: string): Promise<ReadyFile | undefined> {
  return readAddressFile(folder, READY_FILE, ready);
}

/** Undefined: no `brokers` run there. */
export function readBrokersFile(folder: string): Promise<BrokersFile | undefined> {
  return readAddressFile(folder, BROKERS_FILE, brokers);
}

/**
 * Where the simulator of a data directory may be, the likelier address first: the one written last. Of a fleet in
 * shards that of the first one, which has the providers of SIM cards and the maker's vehicles.
 */
export function simulatorsOf(folder: string): Promise<readonly string[]> {
  return writtenUrls(folder, 'simulator_url');
}

/** Where the console of a data directory may be: that of `up`, or of `fleet`. The likelier address first. */
export function consolesOf(folder: string): Promise<readonly string[]> {
  return writtenUrls(folder, 'console_url');
}

type UrlName = 'simulator_url' | 'console_url';

async function writtenUrls(folder: string, name: UrlName): Promise<readonly string[]> {
  const fleets = (await readdir(folder).catch(() => [])).filter((file) => {
    const found = FLEET_FILE.exec(file);
    return found !== null && (found[1] ?? '1') === '1';
  });
  const written = await Promise.all([
    writtenUrl(folder, { file: READY_FILE, name }, ready),
    ...fleets.map((file) => writtenUrl(folder, { file, name }, fleet)),
  ]);
  const urls = written.sort((a, b) => b.writtenMs - a.writtenMs).map(({ url }) => url);
  return [...new Set(urls)].flatMap((url) => (typeof url === 'string' ? [url] : []));
}

/** The names of all these files in a directory. */
export function addressFilesIn(folder: string): readonly string[] {
  return namesIn(folder).filter(
    (name) => name === READY_FILE || name === BROKERS_FILE || FLEET_FILE.test(name),
  );
}

async function readAddressFile<Content>(
  folder: string,
  name: string,
  schema: z.ZodType<Content>,
): Promise<Content | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** An address in a file, and when it was written. */
async function writtenUrl(
  folder: string,
  { file, name }: { readonly file: string; readonly name: UrlName },
  schema: z.ZodType<Readonly<Partial<Record<UrlName, string | null | undefined>>>>,
): Promise<{ readonly url: string | null | undefined; readonly writtenMs: number }> {
  const content = await readAddressFile(folder, file, schema);
  const { mtimeMs } = (await stat(join(folder, file)).catch(() => undefined)) ?? { mtimeMs: 0 };
  return { url: content?.[name], writtenMs: mtimeMs };
}
