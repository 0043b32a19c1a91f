import { readFileSync } from 'node:fs';
import { keyOf } from './mutant.ts';

/** As Stryker hands a mutant to a checker: the file's whole path, lines and columns from 0. */
interface CheckedMutant {
  readonly id: string;
  readonly fileName: string;
  readonly location: {
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  };
  readonly mutatorName: string;
  readonly replacement: string;
}

/**
 * A checker of Stryker that lets through what was drawn and nothing else. The ranges that Stryker is given hold the
 * mutants inside of a drawn one too, and the others of the same place. `MUTATION_DRAWN`: a JSON file of keys.
 */
class DrawnChecker {
  readonly #drawn = new Set(
    JSON.parse(readFileSync(process.env['MUTATION_DRAWN'] ?? '', 'utf8')) as string[],
  );

  init(): Promise<void> {
    return Promise.resolve();
  }

  group(mutants: readonly CheckedMutant[]): Promise<readonly (readonly string[])[]> {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }

  check(mutants: readonly CheckedMutant[]): Promise<Readonly<Record<string, { readonly status: string }>>> {
    const root = `${process.cwd()}/`;
    return Promise.resolve(
      Object.fromEntries(
        mutants.map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => {
          const key = keyOf({
            file: fileName.replace(root, ''),
            start: { line: start.line + 1, column: start.column + 1 },
            end: { line: end.line + 1, column: end.column + 1 },
            mutator: mutatorName,
            replacement,
          });
          return [
            id,
            this.#drawn.has(key)
              ? { status: 'passed' }
              : { status: 'compileError', reason: 'It was not drawn.' },
          ];
        }),
      ),
    );
  }
}

/** What Stryker looks for in a plugin. */
export const strykerPlugins = [{ kind: 'Checker', name: 'drawn', injectableClass: DrawnChecker }];
