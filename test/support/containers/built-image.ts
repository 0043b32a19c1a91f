import { spawnSync } from 'node:child_process';
import { constants, copyFileSync, cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One instruction of a container file: `RUN`, and what stands behind it. */
interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** What stands from one `FROM` to the next. */
interface Stage {
  /** Empty: the last one, which has no name. */
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a container file, each instruction on one line. Throws where it is written in another way. */
function stagesOf(text: string): readonly Stage[] {
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', rest = ''] = /^([A-Z]+) (.*[^\\])$/.exec(line) ?? [];
    if (name === '') throw new Error(`not read here: ${line}`);
    if (name === 'FROM') {
      const [from = '', , stage = ''] = rest.split(' ');
      stages.push({ name: stage, from, instructions: [] });
    } else if (name !== 'ARG') stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

/** What the words of `.dockerignore` leave of these paths: the last one that fits a path or a folder of it decides. */
function contextOf(paths: readonly string[], ignore: string): readonly string[] {
  const rules = ignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: patternOf(line.replace('!', '')) }));
  return paths.filter((path) => {
    const parts = path.split('/');
    const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = rules.findLast(({ pattern }) => folders.some((folder) => pattern.test(folder)));
    return last === undefined || last.isKept;
  });
}

/** A star is of one part of a path, two with a slash behind them of any number of parts. */
function patternOf(word: string): RegExp {
  const text = word
    .replaceAll(/[.+?^$()|[\]{}\\]/g, '\\$&')
    .replaceAll('**/', '(?:.*/)?')
    .replaceAll(/(?<!\.)\*/g, '[^/]*');
  return new RegExp(`^${text}$`);
}

const checkout = join(import.meta.dirname, '..', '..', '..');
const FILE = join(checkout, 'containers', 'Containerfile');

/** What the last stage of the container file comes to, with its files in a folder in place of a root. */
export interface BuiltImage {
  /** Instead of `/`. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly health: readonly string[];
  readonly user: string;
}

/**
 * Carries the container file out without a container engine: each stage in a folder of its own below `place`, its RUN
 * lines by `sh`, with the folders that they name in place of those of a root. The base image is this machine, with the
 * Node of this run; `npm ci` is not run, and the libraries of the checkout stand in for what it installs. `user`: whom `node` of the image stands for here. Throws, with what it printed, where a step fails.
 */
export function buildImage(place: string, user: string): BuiltImage {
  const stages = stagesOf(readFileSync(FILE, 'utf8'));
  const roots = new Map<string, string>();
  for (const stage of stages) {
    const root = join(place, stage.name === '' ? 'image' : stage.name);
    roots.set(stage.name, root);
    for (const folder of ['usr/local/bin', 'tmp']) mkdirSync(join(root, folder), { recursive: true });
    if (stage.from !== 'scratch') installNode(join(root, 'usr/local/bin'));
    carryOut(stage, root, roots, user);
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error('There is no stage.');
  const root = roots.get(last.name) ?? '';
  const restOf = (name: string) => last.instructions.find((one) => one.name === name)?.rest ?? '';
  const words = (name: string) => JSON.parse(restOf(name).replace(/^.*? CMD /, '')) as readonly string[];
  return {
    root,
    env: Object.fromEntries(
      restOf('ENV')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    workdir: join(root, restOf('WORKDIR')),
    entrypoint: words('ENTRYPOINT'),
    command: words('CMD'),
    health: words('HEALTHCHECK'),
    user: restOf('USER'),
  };
}

function carryOut(stage: Stage, root: string, roots: ReadonlyMap<string, string>, user: string): void {
  let workdir = root;
  for (const { name, rest } of stage.instructions) {
    if (name === 'WORKDIR') {
      workdir = join(root, rest);
      mkdirSync(workdir, { recursive: true });
    } else if (name === 'COPY') copy(rest.split(' '), workdir, root, roots);
    else if (name === 'RUN') run(rest, workdir, root, user);
    else if (!DECLARED.includes(name)) throw new Error(`not carried out here: ${name}`);
  }
}

/** What changes nothing in the files. */
const DECLARED = ['ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];

function copy(
  words: readonly string[],
  workdir: string,
  root: string,
  roots: ReadonlyMap<string, string>,
): void {
  const stage = words[0]?.startsWith('--from=') === true ? words[0].slice('--from='.length) : undefined;
  const [source = '', target = ''] = words.slice(-2);
  if (stage === undefined) {
    if (source !== '.' || target !== '.') throw new Error('The context is copied whole.');
    copyContext(workdir);
    return;
  }
  const from = join(roots.get(stage) ?? '', source);
  const into = join(root, target);
  if (!source.includes('*')) cpSync(from, into, { recursive: true, verbatimSymlinks: true });
  else
    for (const file of globSync(from)) copyFileSync(file, join(into, file.slice(dirname(from).length + 1)));
}

/** What git knows or would add, without what `.dockerignore` leaves out. */
function copyContext(into: string): void {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: checkout,
    encoding: 'utf8',
  });
  for (const path of contextOf(
    listed.stdout.split('\0').filter(Boolean),
    readFileSync(`${FILE}.dockerignore`, 'utf8'),
  )) {
    mkdirSync(dirname(join(into, path)), { recursive: true });
    cpSync(join(checkout, path), join(into, path));
  }
}

function run(line: string, workdir: string, root: string, user: string): void {
  // It takes minutes, and is what has made the checkout's own.
  if (line.startsWith('npm ci ')) {
    symlinkSync(join(checkout, 'node_modules'), join(workdir, 'node_modules'));
    return;
  }
  const script = line
    .replaceAll(/(?<=^|\s)\/(?=[a-z])/g, `${root}/`)
    .replaceAll(
      /-([og]) node/g,
      (_, kind: string) => `-${kind} "$(id -${kind === 'o' ? 'u' : 'g'}n ${user})"`,
    );
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
    cwd: workdir,
    encoding: 'utf8',
    env: { ...plainEnvironment(), PATH: `${root}/usr/local/bin:${process.env['PATH'] ?? ''}` },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`RUN ${line} ended with ${status}:\n${stdout}${stderr}`);
}

/** Without what npm and vitest have told this run; how the registry is reached stays. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const isOfThisRun = /^(npm_(?!config_(registry|cache))|VITEST|NODE_ENV|NODE_OPTIONS|BOXTWIN_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfThisRun.test(name)));
}

/** A copy, where files can share their blocks for nothing: another user may not be let into this one's folder. */
function installNode(folder: string): void {
  const node = join(folder, 'node');
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  symlinkSync('node', join(folder, 'nodejs'));
}
