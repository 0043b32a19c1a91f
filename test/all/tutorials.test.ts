import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputDifference } from '../support/docs/page-commands.ts';
import { fileOnPage } from '../support/docs/page-files.ts';
import {
  bashShell,
  bothOf,
  mosquitto,
  postgres,
  rabbitmqManagement,
  waitUntil,
  withService,
} from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { IS_BUILT, PRODUCT, PROGRAM } from '../support/run/product.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');

/**
 * A folder as a reader's is after `npm install boxtwin vitest typescript @types/node`, with the product that tests
 * start, but for its package.json.
 */
interface ReaderFolder {
  readonly path: string;
  /** For commands in it: with the Node of this checkout, and without what tests set for themselves. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  remove(): void;
}

/** Makes it below the system's temporary folder. */
function makeReaderFolder(): ReaderFolder {
  const path = mkdtempSync(join(tmpdir(), 'boxtwin-reader-'));
  const packages = join(path, 'node_modules');
  const programs = join(packages, '.bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(PRODUCT, join(packages, 'boxtwin'));
  symlinkSync(PROGRAM, join(programs, 'boxtwin'));
  // Of a built package those beside it: it adds to the types of the Vitest that it finds there.
  const tools = existsSync(join(PRODUCT, '..', 'vitest')) ? dirname(PRODUCT) : join(CHECKOUT, 'node_modules');
  for (const name of ['vitest', 'typescript', '@types']) symlinkSync(join(tools, name), join(packages, name));
  symlinkSync(join(tools, 'vitest/vitest.mjs'), join(programs, 'vitest'));
  symlinkSync(join(tools, 'typescript/bin/tsc'), join(programs, 'tsc'));
  // The entries of the package are built ones; a checkout has their sources.
  const alias = IS_BUILT ? {} : { 'boxtwin/vitest': join(CHECKOUT, 'library/vitest.ts') };
  writeFileSync(
    join(path, 'vitest.config.mjs'),
    `export default { resolve: { alias: ${JSON.stringify(alias)} }, server: { fs: { strict: false } } };\n`,
  );
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR|npm_|BOXTWIN_)/.test(name),
  );
  return {
    path,
    environment: {
      ...Object.fromEntries(kept),
      NO_COLOR: '1',
      PATH: [join(CHECKOUT, 'node_modules/.bin'), process.env['PATH'], '/usr/sbin'].join(delimiter),
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** One thing that a page has its reader do. */
interface PageStep {
  /** For a test's name: the line of the page, and what is done there. */
  readonly name: string;
  /**
   * `run`: in the first terminal, to its end. `file`: saved by the reader. `terminal`: in a terminal of its own, where it
   * goes on; `end`: Ctrl-C there.
   */
  readonly kind: 'run' | 'file' | 'terminal' | 'end';
  /** The commands, or what the file holds. */
  readonly text: string;
  /** Of the file or of the terminal. */
  readonly target: string;
  /** What the page shows that it prints; of a terminal: once it is ready. */
  readonly answer: string | undefined;
}

/** What the first line of a block's or a Ctrl-C's comment may be, and the block. */
const STEP =
  /<!-- (?<ended>ctrl-c): (?<end>\S+) -->|(?:<!-- (?<mark>file|terminal): (?<target>\S+) -->\n)?^```(?<form>\w*)\n(?<text>[\s\S]*?)^```$/gm;

/**
 * The steps of a page, in their order: each `sh` block, with the `text` block right after it as what it prints; each block
 * below `<!-- file: name -->`; `sh` blocks below `<!-- terminal: name -->`, which run until `<!-- ctrl-c: name -->` or the end
 * of the page. `changes` replaces what stands on the page by what the test has, such as ports.
 */
function stepsOf(page: string, changes: Readonly<Record<string, string>> = {}): readonly PageStep[] {
  const changed = (text: string) =>
    Object.entries(changes).reduce((one, [from, to]) => one.replaceAll(from, to), text);
  const matches = [...page.matchAll(STEP)];
  return matches.flatMap(({ index, groups = {} }, place): PageStep[] => {
    const line = page.slice(0, index).split('\n').length;
    const { ended, end = '', mark, target = '', form, text = '' } = groups;
    if (ended !== undefined)
      return [
        { name: `line ${line}: Ctrl-C of ${end}`, kind: 'end', text: '', target: end, answer: undefined },
      ];
    if (mark === 'file')
      return [
        { name: `line ${line}: ${target}`, kind: 'file', text: changed(text), target, answer: undefined },
      ];
    if (form !== 'sh') return [];
    const next = matches[place + 1]?.groups;
    const answer = next?.['form'] === 'text' ? changed(next['text'] ?? '') : undefined;
    const name = `line ${line}: ${text.split('\n')[0]}`;
    return [{ name, kind: mark === 'terminal' ? 'terminal' : 'run', text: changed(text), target, answer }];
  });
}

/** How a step ended: what it printed, and why that is not what the page shows. */
interface StepEnd {
  readonly output: string;
  /** What it wrote to stderr. */
  readonly errors: string;
  readonly difference: string | undefined;
}

/**
 * Does the steps as a reader does, in `folder`: `run` in one shell, so that variables stay. Resolves with how each ended;
 * the first that differs from the page is the last one. Whatever was started is ended then. Rejects after `deadlineMs`.
 */
async function walkPage(
  steps: readonly PageStep[],
  place: {
    readonly bash: string;
    readonly folder: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly deadlineMs: number;
  },
): Promise<readonly StepEnd[]> {
  const walk = new Walk(place);
  const timer = setTimeout(() => void walk.end('SIGKILL'), place.deadlineMs);
  const ends: StepEnd[] = [];
  try {
    for (const [index, step] of steps.entries()) {
      const end = await walk.step(step, index);
      ends.push(end);
      if (end.difference !== undefined) break;
    }
  } finally {
    clearTimeout(timer);
    await walk.end('SIGTERM');
  }
  return ends;
}

/** The terminals of a reader. */
class Walk {
  readonly #place: Parameters<typeof walkPage>[1];
  readonly #shell: ChildProcess;
  readonly #done: AsyncIterator<string>;
  readonly #terminals = new Map<string, ChildProcess>();

  constructor(place: Parameters<typeof walkPage>[1]) {
    this.#place = place;
    this.#shell = this.#start(['-u'], ['pipe', 'pipe', 'inherit']);
    const { stdout } = this.#shell;
    if (stdout === null) throw new Error('A shell without an output.');
    this.#done = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  #start(args: readonly string[], stdio: ('pipe' | 'inherit' | 'ignore' | number)[]): ChildProcess {
    const { bash, folder, environment } = this.#place;
    // A group of its own: Ctrl-C is for all that a terminal runs.
    const leader = spawn(bash, [...args], { cwd: folder, env: { ...environment }, stdio, detached: true });
    leaders.add(leader);
    return leader;
  }

  async step(step: PageStep, index: number): Promise<StepEnd> {
    const { kind, text, target } = step;
    if (kind === 'file') {
      const path = join(this.#place.folder, target);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    if (kind === 'terminal') return this.#open(step, index);
    if (kind === 'end') await this.#end(target, 'SIGINT');
    if (kind === 'run') return this.#run(step, index);
    return { output: '', errors: '', difference: undefined };
  }

  async #run({ text, answer }: PageStep, index: number): Promise<StepEnd> {
    const [out, errors] = [this.#file(index, 'output'), this.#file(index, 'errors')];
    this.#shell.stdin?.write(`{\n${text}\n} > '${out}' 2> '${errors}' < /dev/null\necho done\n`);
    const { done } = await this.#done.next();
    const output = readFileSync(out, 'utf8');
    const end = { output, errors: readFileSync(errors, 'utf8') };
    if (done === true) return { ...end, difference: 'It ended the shell, or took too long.' };
    if (answer === undefined) return { ...end, difference: undefined };
    return { ...end, difference: outputDifference({ form: 'text', text: answer }, output) };
  }

  /** Resolves once the terminal shows what the page has it show; at once where that is nothing. */
  async #open({ text, target, answer }: PageStep, index: number): Promise<StepEnd> {
    const file = this.#file(index, 'output');
    const shown = openSync(file, 'w');
    const terminal = this.#start(['-c', text], ['ignore', shown, shown]);
    closeSync(shown);
    this.#terminals.set(target, terminal);
    let difference: string | undefined;
    const isReady = () => {
      difference = answer === undefined ? undefined : shownDifference(answer, readFileSync(file, 'utf8'));
      return difference === undefined || terminal.exitCode !== null || terminal.signalCode !== null;
    };
    // What it shows in place of that says more than that it took too long.
    await waitUntil(isReady, READY_MS).catch(() => undefined);
    return { output: readFileSync(file, 'utf8'), errors: '', difference };
  }

  #file(index: number, kind: string): string {
    const folder = join(this.#place.folder, '.walk');
    mkdirSync(folder, { recursive: true });
    return join(folder, `${index}.${kind}`);
  }

  async #end(name: string, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const terminal = this.#terminals.get(name);
    this.#terminals.delete(name);
    if (terminal === undefined) throw new Error(`No terminal ${name} is open.`);
    await endGroup(terminal, signal);
  }

  /** Ends the terminals, the last one first, and the shell. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    for (const name of [...this.#terminals.keys()].toReversed()) await this.#end(name, signal);
    await endGroup(this.#shell, signal);
  }
}

/** Why a terminal does not show this yet; what a part logs may stand before and after it. */
function shownDifference(answer: string, output: string): string | undefined {
  const text = `<…${answer.trim()}…>`;
  return outputDifference({ form: 'text', text }, `<\n${output}\n>`);
}

/** Until a terminal is ready, and until what runs in it has ended. */
const READY_MS = 60_000;
const END_MS = 40_000;

/** A test that is ended half-way leaves nothing running behind. */
const leaders = new Set<ChildProcess>();
process.once('exit', () => {
  for (const { pid, exitCode, signalCode } of leaders)
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
});

/** Ends all processes of the group; by force where that takes too long. */
async function endGroup(leader: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const { pid } = leader;
  if (pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  const exited = once(leader, 'exit');
  process.kill(-pid, signal);
  const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), END_MS);
  await exited;
  clearTimeout(timer);
}

/** What a tutorial has here in place of what stands on its page: settings as variables, texts as other texts. */
interface Differences {
  readonly variables?: Readonly<Record<string, string>>;
  readonly changes?: Readonly<Record<string, string>>;
}

/** Does what the page of docs/ says in a new folder; each step of the page is a test. */
function walk(name: string, bash: string, differences: () => Promise<Differences>): void {
  describe(`docs/${name}.md, as a reader follows it`, () => {
    const page = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
    const steps = stepsOf(page);
    let folder: ReaderFolder;
    let ends: readonly StepEnd[] = [];

    beforeAll(async () => {
      folder = makeReaderFolder();
      const { variables, changes } = await differences();
      ends = await walkPage(stepsOf(page, changes), {
        bash,
        folder: folder.path,
        environment: { ...folder.environment, ...variables },
        deadlineMs: 200_000,
      });
    }, 300_000);
    afterAll(() => folder.remove());

    test.each(steps.map((step, index) => ({ ...step, index })))('$name', ({ index }) => {
      const end = ends[index];
      expect(end, 'It was not reached.').toBeDefined();
      expect(end?.difference, `${end?.output}\n${end?.errors}`).toBeUndefined();
    });
  });
}

async function portsFor(ports: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const pairs: [string, string][] = [];
  for (const port of ports) pairs.push([port, String(await freePort())]);
  return Object.fromEntries(pairs);
}

await withService(bashShell, ({ bash }) => {
  // What a registry would give is in the folder.
  const installed = { 'npm install': ': npm install' };
  // Sources have no declarations; .ci/smoke checks the types of the packed package by the page's tsconfig.json.
  const checked = IS_BUILT ? {} : { 'npx tsc': ': npx tsc' };
  walk('testing', bash, async () => ({ changes: { ...installed, ...checked } }));
  walk('tutorials/first-failing-scenario', bash, async () => ({}));
  walk('tutorials/testing-a-client', bash, async () => ({ changes: installed }));
  walk('tutorials/a-thousand-vehicles', bash, async () => ({
    variables: {
      BOXTWIN_VEHICLES: '120',
      BOXTWIN_PORT: String(await freePort()),
      BOXTWIN_SIMULATOR_PORT: String(await freePort()),
      BOXTWIN_MQTT_PORT: String(await freePort()),
      BOXTWIN_AMQP_PORT: String(await freePort()),
      BOXTWIN_AMQPS_PORT: String(await freePort()),
      BOXTWIN_CONSOLE: 'off',
    },
  }));
});

await withService(
  bothOf(bashShell, bothOf(postgres, bothOf(mosquitto, rabbitmqManagement))),
  ([{ bash }, [database, [, rabbit]]]) => {
    test('the access list of the tutorial is that of docs/mqtt-brokers.md', () => {
      expect(fileOnPage('docs/tutorials/several-machines.md', 'boxtwin.acl')).toBe(
        fileOnPage('docs/mqtt-brokers.md', 'boxtwin.acl'),
      );
    });

    walk('tutorials/several-machines', bash, async () => {
      const name = `tutorial_${process.pid}`;
      const at = (url: string, path: string) => Object.assign(new URL(url), { pathname: path }).href;
      return {
        changes: {
          ...(await portsFor(['1884', '8081', '8082', '8091', '8092'])),
          'postgres://postgres@127.0.0.1:5432/twin': at(database.url, name),
          'postgres://postgres@127.0.0.1:5432/postgres': database.url,
          'database twin': `database ${name}`,
          'amqp://guest:guest@127.0.0.1:5672/twin': at(rabbit.url, name),
          '-u guest:guest': `-u ${new URL(rabbit.adminUrl).username}:${new URL(rabbit.adminUrl).password}`,
          'http://127.0.0.1:15672/api/vhosts/twin': `${new URL(rabbit.adminUrl).origin}/api/vhosts/${name}`,
          // Without it a Mosquitto that root starts could not read the files of this folder.
          'acl_file boxtwin.acl\n': 'acl_file boxtwin.acl\nuser root\n',
        },
      };
    });
  },
);
