import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { copyFile, lstat, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { ScenarioRunner } from '../../console/server/scenario-routes.ts';
import type { ScenarioRun } from '../../console/stream/scenarios.ts';
import { streamOfFile } from '../input/input-file.ts';
import { modelPlaces } from '../models/model-directory.ts';
import { limits } from '../shared/limits.ts';
import { readPackageFile } from '../shared/package-file.ts';

const COMMAND = join(readPackageFile().root, 'bin', 'boxtwin.js');
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

/** Runs of scenarios, each of them `boxtwin scenario run` in a process and a folder of its own. */
export class ScenarioRuns {
  readonly #place: string;
  /** Folders with files that scenarios play, such as recorded links; those of the last one win. */
  readonly #besides: readonly string[];
  readonly #runMs: number;
  readonly #runs = new Map<string, Run>();
  readonly #children = new Set<ReturnType<typeof spawn>>();
  #count = 0;
  /** Runs whose folders are being prepared. */
  #starting = 0;

  private constructor(place: string, besides: readonly string[], runMs: number) {
    this.#place = place;
    this.#besides = besides;
    this.#runMs = runMs;
  }

  /** A run is killed after `runMs`. */
  static async open(besides: readonly string[], runMs: number): Promise<ScenarioRuns> {
    return new ScenarioRuns(await mkdtemp(join(tmpdir(), 'boxtwin-console-')), besides, runMs);
  }

  /** Undefined: as many as may run at once are running. */
  async start(text: string): Promise<ScenarioRun | undefined> {
    const running = [...this.#runs.values()].filter(({ endedMs }) => endedMs === undefined).length;
    if (this.#starting + running >= limits.consoleRuns) return undefined;
    this.#count += 1;
    const id = String(this.#count);
    const folder = join(this.#place, id);
    this.#starting += 1;
    try {
      await this.#forgetOldest();
      await this.#prepare(folder, text);
      return await told(id, this.#begin(id, folder));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    } finally {
      this.#starting -= 1;
    }
  }

  /** Undefined: there is none of this id, or it was forgotten. */
  async find(id: string): Promise<ScenarioRun | undefined> {
    const run = this.#runs.get(id);
    return run === undefined ? undefined : told(id, run);
  }

  /** The trace of a run that has ended; undefined: there is none. */
  async traceOf(id: string): ReturnType<ScenarioRunner['traceOf']> {
    const run = this.#runs.get(id);
    if (run?.endedMs === undefined) return undefined;
    const file = join(run.folder, TRACE);
    const size = await sizeOf(file);
    if (size === undefined) return undefined;
    return { name: `run ${id}`, size, open: () => streamOfFile(file) };
  }

  /** Kills what runs, and removes the folders. */
  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await rm(this.#place, { recursive: true, force: true });
  }

  async #prepare(folder: string, text: string): Promise<void> {
    await mkdir(folder);
    await writeFile(join(folder, 'scenario.yaml'), text);
    for (const beside of this.#besides) await copyBeside(beside, folder);
  }

  /** A run exists once its process does: a failure before that leaves none that others would wait for. */
  #begin(id: string, folder: string): Run {
    const run: Run = { folder, beganMs: Date.now(), endedMs: undefined, code: undefined, report: '' };
    // It runs in another folder.
    const models = modelPlaces().flatMap((place) => ['--models', resolve(place)]);
    const child = spawn(
      process.execPath,
      [COMMAND, 'scenario', 'run', 'scenario.yaml', '--trace', TRACE, '--quiet', ...models],
      // A busy run does not handle SIGTERM.
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: this.#runMs, killSignal: 'SIGKILL' },
    );
    this.#follow(child, run);
    this.#runs.set(id, run);
    return run;
  }

  /** Notes what a process prints, and its end. */
  #follow(child: ChildProcessByStdio<null, Readable, Readable>, run: Run): void {
    const end = (code: number | null) => {
      this.#children.delete(child);
      run.endedMs ??= Date.now();
      run.code = code ?? undefined;
    };
    const take = (bytes: Buffer): void => {
      run.report = (run.report + stripVTControlCharacters(bytes.toString())).slice(
        -limits.consoleReportCharacters,
      );
    };
    child.once('error', (error) => {
      run.report += error.message;
      // A process that never started may not emit close, for example with too many open files.
      if (child.pid === undefined) end(null);
    });
    child.once('close', (code) => {
      end(code);
      if (code === null) run.report += '\nIt took too long, and was ended.';
    });
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    this.#children.add(child);
  }

  async #forgetOldest(): Promise<void> {
    for (const [id, run] of this.#runs) {
      if (this.#runs.size <= limits.consoleKeptRuns) return;
      if (run.endedMs === undefined) continue;
      this.#runs.delete(id);
      await rm(run.folder, { recursive: true, force: true });
    }
  }
}

/** Copies the other files, such as recorded links, to a run. They replace those that are there. */
async function copyBeside(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch((): string[] => []);
  for (const name of names.filter((one) => !one.endsWith('.yaml')).slice(0, limits.consoleFilesBeside)) {
    // No links: a run would get files from outside the folder.
    const found = await lstat(join(from, name)).catch(() => undefined);
    if (found?.isFile() === true && found.size <= limits.consoleFileBytes)
      await copyFile(join(from, name), join(to, name)).catch(() => undefined);
  }
}

async function told(id: string, { folder, beganMs, endedMs, code, report }: Run): Promise<ScenarioRun> {
  const verdict = endedMs === undefined ? undefined : (VERDICTS[code ?? VERDICTS.length] ?? 'crashed');
  const isWhole = endedMs !== undefined && verdict !== 'refused';
  return {
    id,
    report,
    verdict,
    tookMs: (endedMs ?? Date.now()) - beganMs,
    state: endedMs === undefined ? 'running' : 'ended',
    hasTrace: isWhole && (await sizeOf(join(folder, TRACE))) !== undefined,
  };
}

/** In bytes; undefined: the file does not exist. */
function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}
