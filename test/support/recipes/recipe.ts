import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CHECKOUT = join(import.meta.dirname, '..', '..', '..');

/** A recipe of CONTRIBUTING.md whose places are in a list, and the patch that follows it. */
export interface Recipe {
  /** `weather`, as in the patch `weather.patch`. */
  readonly name: string;
  /** The patch, as a path. */
  readonly patch: string;
  /** The name that the patch adds: `satellite`. The type checker names the next places with it. */
  readonly word: string;
  /** The files with a row. */
  readonly rows: readonly string[];
  /** The places that the type checker names once the rows are there. */
  readonly types: readonly string[];
  /** All places that are written by hand; one that ends with `/` is a folder with a new file. */
  readonly places: readonly string[];
  /** What `-u` draws anew from the tables. */
  readonly drawn: readonly string[];
  /** Test files and folders to run. */
  readonly tests: readonly string[];
}

const FOLDER = import.meta.dirname;
const WORD = /^Word: (?<word>\S+)$/m;
const PATH = /`(?<path>[\w.-]+\/[\w./-]*)`/g;

/** The paragraphs of "Adding things", by the name in bold that each begins with: `A weather`. */
function sections(): ReadonlyMap<string, string> {
  const page = readFileSync(join(CHECKOUT, 'CONTRIBUTING.md'), 'utf8');
  const [, rest = ''] = page.split('## Adding things\n');
  const [adding = ''] = rest.split('\n## ');
  return new Map(
    adding
      .split(/^(?=\*\*)/m)
      .slice(1)
      .map((text) => [/^\*\*(.+?)\.?\*\*/.exec(text)?.[1] ?? '', text]),
  );
}

const pathsOf = (text: string): readonly string[] =>
  [...text.matchAll(PATH)].map(({ groups }) => groups?.['path'] ?? '');

function recipeIn(text: string): Recipe | undefined {
  const item = (label: string): string =>
    new RegExp(`^- \\*${label}:\\*([\\s\\S]*?)(?=^- \\*|\\n\\n|$(?![\\s\\S]))`, 'm').exec(text)?.[1] ?? '';
  const name = /`test\/support\/recipes\/([a-z-]+)\.patch`/.exec(text)?.[1];
  const rowPlaces = pathsOf(item('Rows?'));
  if (name === undefined || rowPlaces.length === 0) return undefined;
  const patch = join(FOLDER, `${name}.patch`);
  const byHand = pathsOf(item('By hand'));
  const word = WORD.exec(readFileSync(patch, 'utf8'))?.groups?.['word'];
  if (word === undefined) throw new Error(`${patch} does not begin with Word:.`);
  const types = pathsOf(item('Types'));
  const rows = rowPlaces.map(
    (place) => filesOf(patch).find((file) => file.startsWith(place) && !byHand.includes(file)) ?? place,
  );
  return {
    name,
    patch,
    word,
    rows,
    types,
    places: [...rowPlaces, ...types, ...byHand],
    drawn: pathsOf(item('Drawn')),
    tests: pathsOf(item('Tests')),
  };
}

/** The recipes that a test follows. Throws where a patch has no word. */
export function recipes(): readonly Recipe[] {
  return [...sections().values()].flatMap((text) => recipeIn(text) ?? []);
}

/** The names in bold of those that no test follows. */
export function proseRecipes(): readonly string[] {
  return [...sections()].flatMap(([name, text]) => (recipeIn(text) === undefined ? [name] : []));
}

/** The patches in the folder, by name. */
export function patchNames(): readonly string[] {
  return readdirSync(FOLDER).flatMap((file) => /^(.+)\.patch$/.exec(file)?.[1] ?? []);
}

/** The files that a patch changes or makes. */
export function filesOf(patch: string): readonly string[] {
  return [...readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path);
}
