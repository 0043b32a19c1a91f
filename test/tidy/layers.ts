import { posix } from 'node:path';
import { type Finding, importsOf, type SourceFile } from './rules.ts';

/**
 * The layers of each room that has them, lowest first. An entry is a folder of the room, a file directly in it, or `.`
 * for all other files directly in it, which are above all layers where no layer has them. Each entry may import those
 * of lower layers; entries of one layer do not import each other.
 */
export type Layers = Readonly<Record<string, readonly (readonly string[])[]>>;

export const LAYERS: Layers = {
  backend: [
    ['base'],
    ['store'],
    ['access', 'vehicles', 'partitions'],
    ['commands', 'connectivity', 'events'],
    ['configuration', 'ingest', 'setup', 'subscriptions', 'third-party'],
    ['monitoring'],
    ['http'],
  ],
  judge: [
    ['recordings.ts', 'verdict.ts', 'wording.ts'],
    ['checkers.ts'],
    ['ledger'],
    ['evidence'],
    ['client', 'rules'],
    ['certify'],
  ],
  protocol: [['.'], ['layouts', 'models'], ['codec', 'dbc']],
  world: [
    [
      'limits.ts',
      'article.ts',
      'broken-rule.ts',
      'error-text.ts',
      'shell-word.ts',
      'json.ts',
      'expressions',
      'files',
      'group-commit',
      'loop',
      'network-faults',
      'random',
      'threads',
      'trace',
    ],
    ['crypto', 'flash', 'http', 'log', 'sandbox', 'time'],
    ['amqp', 'guessing', 'ids', 'mqtt'],
    ['network'],
  ],
  deployment: [
    ['shared'],
    ['faults', 'http', 'input'],
    ['directory', 'jobs', 'models'],
    ['brokers', 'messages'],
    ['checks', 'console', 'demo', 'testbed'],
    ['fleet'],
    ['service'],
  ],
  certify: [['limits.ts'], ['boxes', 'client'], ['service']],
  cli: [['shared'], ['live', 'settings'], ['help'], ['commands']],
  simulator: [
    ['.'],
    ['http', 'radio', 'routes'],
    ['gnss', 'recorded-drives'],
    ['vehicle'],
    ['drivers', 'firmware'],
    ['box'],
    ['fleet'],
    ['maker-cloud', 'sim-provider', 'weather'],
    ['control'],
  ],
};

interface FolderImport {
  readonly path: string;
  readonly line: number;
  readonly room: string;
  /** An entry of the layers. */
  readonly from: string;
  readonly to: string;
}

/**
 * Every import that goes up or sideways in a room with layers, every folder of such a room without a layer, and every
 * entry of a layer that does not exist.
 */
export function inspectLayers(files: readonly SourceFile[], layers: Layers): readonly Finding[] {
  return Object.entries(layers).flatMap(([room, levels]) => {
    const level = new Map(levels.flatMap((entries, number) => entries.map((entry) => [entry, number])));
    if (!level.has('.')) level.set('.', levels.length);
    const inRoom = files.filter(({ path }) => path.startsWith(`${room}/`));
    const parts = new Set(inRoom.map(({ path }) => partOf(path, layers)));
    const missing = [...level.keys()]
      .filter((entry) => entry !== '.' && !parts.has(entry))
      .map((entry) => findingAt(`${room}/${entry}`, 'has a layer in test/tidy/layers.ts and does not exist'));
    const unplaced = [...parts]
      .filter((part) => !level.has(part))
      .map((part) => findingAt(`${room}/${part}/`, 'has no layer: give it one in test/tidy/layers.ts'));
    const upward = folderImports(inRoom, layers)
      .filter(({ from, to }) => (level.get(to) ?? 0) >= (level.get(from) ?? 0))
      .map(({ path, line, to }) => {
        const rule = `imports ${room}/${to}, which is not in a lower layer (test/tidy/layers.ts)`;
        return { path, line, rule, isWarning: false };
      });
    return [...missing, ...unplaced, ...upward];
  });
}

/**
 * The folders that import each other, in rooms without layers, as `backend/http <> backend/vehicles` in alphabetical
 * order. The files directly in a room count as one folder with the room's name.
 */
export function mutualFolders(files: readonly SourceFile[], layers: Layers): readonly string[] {
  const free = files.filter(({ path }) => layers[posix.dirname(path).split('/')[0] ?? ''] === undefined);
  const edges = new Set(
    folderImports(free, {}).map(({ room, from, to }) =>
      `${room}/${from}>${room}/${to}`.replace(/\/\.(?=>|$)/g, ''),
    ),
  );
  return [...edges]
    .map((edge) => edge.split('>'))
    .filter(([from = '', to = '']) => from < to && edges.has(`${to}>${from}`))
    .map((pair) => pair.join(' <> '));
}

function folderImports(files: readonly SourceFile[], layers: Layers): readonly FolderImport[] {
  return files.flatMap((file) => {
    const room = file.path.split('/')[0] ?? '';
    const from = partOf(file.path, layers);
    return importsOf(file)
      .filter(({ target }) => target.startsWith('.'))
      .map(({ target, line }) => ({ line, reached: posix.join(posix.dirname(file.path), target) }))
      .filter(({ reached }) => reached.startsWith(`${room}/`) && partOf(reached, layers) !== from)
      .map(({ line, reached }) => ({ path: file.path, line, room, from, to: partOf(reached, layers) }));
  });
}

function partOf(path: string, layers: Layers): string {
  const [room = '', part = '', inner] = path.split('/');
  if (inner !== undefined) return part;
  return (layers[room] ?? []).some((entries) => entries.includes(part)) ? part : '.';
}

function findingAt(path: string, rule: string): Finding {
  return { path, line: 1, rule, isWarning: false };
}
