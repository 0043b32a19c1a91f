import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { ScenarioBench } from '../../console/server/scenario-routes.ts';
import type { ScenarioEntry, ScenarioRun } from '../../console/stream/scenarios.ts';
import { limits } from '../limits.ts';
import { modelPlaces } from '../models/model-directory.ts';
import type { Disposables } from '../shared/disposables.ts';
import { readPackageFile } from '../shared/package-file.ts';

const { root } = readPackageFile();
const COMMAND = join(root, 'bin', 'boxtwin.js');
const STORIES = join(root, 'scenarios', 'stories');
/** By the exit codes of `scenario run`. */
const VERDICTS = ['passed', 'failed', 'refused', 'stuck', 'crashed'] as const;

const TRACE = 'trace.ndjson';

interface Run {
  readonly folder: string;
  readonly beganMs: number;
  endedMs: number | undefined;
  code: number | undefined;
  report: string;
}

/**
 * The stories, and those that were saved below the data directory. A run is `boxtwin scenario run` in a process
 * of its own, so that fleet and service beside it are not held up; the latest runs are kept until the end.
 */
export async function scenarioBench(data: string, disposables: Disposables): Promise<ScenarioBench> {
  const saved = join(data, 'scenarios');
  const place = await mkdtemp(join(tmpdir(), 'boxtwin-console-'));
  const runs = new Map<string, Run>();
  const children = new Set<ReturnType<typeof spawn>>();
  let count = 0;
  await disposables.add(() => {
    for (const child of children) child.kill('SIGKILL');
    return rm(place, { recursive: true, force: true });
  });

  async function start(text: string): Promise<ScenarioRun | undefined> {
    const running = [...runs.values()].filter(({ endedMs }) => endedMs === undefined).length;
    if (running >= limits.consoleRuns) return undefined;
    count += 1;
    const id = String(count);
    const folder = join(place, id);
    const run: Run = { folder, beganMs: Date.now(), endedMs: undefined, code: undefined, report: '' };
    runs.set(id, run);
    await forgetOldest();
    await mkdir(folder);
    await writeFile(join(folder, 'scenario.yaml'), text);
    // What a scenario plays stands beside it, such as a recorded link.
    for (const beside of [STORIES, saved]) await copyBeside(beside, folder);
    // It runs in another folder.
    const models = modelPlaces().flatMap((place) => ['--models', resolve(place)]);
    const child = spawn(
      process.execPath,
      [COMMAND, 'scenario', 'run', 'scenario.yaml', '--trace', TRACE, '--quiet', ...models],
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: limits.consoleRunMs },
    );
    children.add(child);
    const take = (bytes: Buffer): void => {
      run.report = (run.report + stripVTControlCharacters(bytes.toString())).slice(
        -limits.consoleReportCharacters,
      );
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => {
      run.report += error.message;
    });
    child.once('close', (code) => {
      children.delete(child);
      run.endedMs = Date.now();
      run.code = code ?? undefined;
      if (code === null) run.report += '\nIt took too long, and was ended.';
    });
    return told(id, run);
  }

  async function forgetOldest(): Promise<void> {
    for (const [id, run] of runs) {
      if (runs.size <= limits.consoleKeptRuns) return;
      if (run.endedMs === undefined) continue;
      runs.delete(id);
      await rm(run.folder, { recursive: true, force: true });
    }
  }

  return {
    list: async () => [...(await entriesIn(saved, false)), ...(await entriesIn(STORIES, true))],
    async read(name) {
      if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) return undefined;
      const own = await textOf(join(saved, `${name}.yaml`));
      return own ?? textOf(join(STORIES, `${name}.yaml`));
    },
    async save(name, text) {
      await mkdir(saved, { recursive: true });
      const file = join(saved, `${name}.yaml`);
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    },
    run: start,
    async runOf(id) {
      const run = runs.get(id);
      return run === undefined ? undefined : told(id, run);
    },
    async traceOf(id) {
      const run = runs.get(id);
      if (run?.endedMs === undefined) return undefined;
      const file = join(run.folder, TRACE);
      const size = await sizeOf(file);
      if (size === undefined) return undefined;
      const open = () => Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
      return { name: `run ${id}`, size, open };
    },
  };
}

/** Copies what is no scenario, such as recorded links, to a run. Those of the folder's own come last and win. */
async function copyBeside(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch((): string[] => []);
  for (const name of names.filter((one) => !one.endsWith('.yaml')).slice(0, limits.consoleFilesBeside)) {
    const size = await sizeOf(join(from, name));
    if (size !== undefined && size <= limits.consoleFileBytes)
      await copyFile(join(from, name), join(to, name)).catch(() => undefined);
  }
}

async function told(id: string, { folder, beganMs, endedMs, code, report }: Run): Promise<ScenarioRun> {
  const verdict = endedMs === undefined ? undefined : (VERDICTS[code ?? VERDICTS.length] ?? 'crashed');
  const isWhole = endedMs !== undefined && verdict !== 'refused';
  return {
    ...{ id, report, verdict, tookMs: (endedMs ?? Date.now()) - beganMs },
    state: endedMs === undefined ? 'running' : 'ended',
    hasTrace: isWhole && (await sizeOf(join(folder, TRACE))) !== undefined,
  };
}

async function entriesIn(folder: string, isBuiltIn: boolean): Promise<readonly ScenarioEntry[]> {
  const files = await readdir(folder).catch((): string[] => []);
  const names = files.filter((file) => file.endsWith('.yaml')).sort();
  return Promise.all(
    names.map(async (file) => ({
      name: file.replace(/\.yaml$/, ''),
      about: /^about: *(.*)$/m.exec((await textOf(join(folder, file))) ?? '')?.[1] ?? '',
      isBuiltIn,
    })),
  );
}

/** Undefined: there is no such file. */
function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** In bytes; undefined: there is no such file. */
function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}
