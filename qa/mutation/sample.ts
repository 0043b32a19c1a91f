import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Random } from '../../world/random/random.ts';
import { keyOf, type Mutant } from './mutant.ts';

/** Of Stryker's instrumenter, what is asked here. It is installed beside this file, and only for this. */
interface InstrumenterModule {
  readonly Instrumenter: new (
    log: Readonly<Record<'debug' | 'info' | 'warn' | 'isDebugEnabled', () => undefined>>,
  ) => {
    instrument(
      files: readonly { readonly name: string; readonly content: string; readonly mutate: true }[],
      options: {
        readonly plugins: null;
        readonly excludedMutations: readonly string[];
        readonly ignorers: readonly [];
      },
    ): Promise<{
      readonly mutants: readonly {
        readonly fileName: string;
        readonly location: { readonly start: ZeroPlace; readonly end: ZeroPlace };
        readonly mutatorName: string;
        readonly replacement: string;
      }[];
    }>;
  };
}

/** As the instrumenter counts: lines and columns from 0. */
interface ZeroPlace {
  readonly line: number;
  readonly column: number;
}

const INSTRUMENTER = 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js';

/** Every mutant of a folder, in the order of files and places. `root`: of the checkout. */
export async function mutantsOf(root: string, folder: string): Promise<readonly Mutant[]> {
  const module: InstrumenterModule = await import(
    pathToFileURL(join(import.meta.dirname, INSTRUMENTER)).href
  );
  const silent = () => undefined;
  const instrumenter = new module.Instrumenter({
    debug: silent,
    info: silent,
    warn: silent,
    isDebugEnabled: silent,
  });
  const files = globSync(`${folder}/**/*.ts`, { cwd: root })
    .toSorted()
    .map((name) => ({ name, content: readFileSync(join(root, name), 'utf8'), mutate: true as const }));
  const { mutants } = await instrumenter.instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  return mutants.map(({ fileName, location, mutatorName, replacement }) => ({
    file: fileName,
    start: fromOne(location.start),
    end: fromOne(location.end),
    mutator: mutatorName,
    replacement,
  }));
}

/**
 * `count` of the mutants, drawn without putting back, or all where there are fewer; the first `after` of the draw are
 * left out. Of the same mutants and seed a smaller draw is the beginning of a larger one.
 */
export function drawnOf(
  mutants: readonly Mutant[],
  random: Random,
  { room, count, after }: { readonly room: string; readonly count: number; readonly after: number },
): readonly Mutant[] {
  const stream = random.stream(`mutation/${room}`);
  const left = mutants.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const drawn: Mutant[] = [];
  while (left.length > 0 && drawn.length < count) {
    const index = stream.whole(0, left.length - 1);
    const last = left.length - 1;
    const [taken, replacement] = [left[index], left[last]] as [Mutant, Mutant];
    left[index] = replacement;
    left.pop();
    drawn.push(taken);
  }
  return drawn.slice(after);
}

function fromOne({ line, column }: ZeroPlace): Mutant['start'] {
  return { line: line + 1, column: column + 1 };
}
