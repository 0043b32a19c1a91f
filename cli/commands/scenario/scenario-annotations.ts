import { relative, resolve } from 'node:path';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { type Annotation, annotationsOf } from '../../../scenarios/reports/annotations.ts';
import { githubCommand } from '../../../scenarios/reports/github-command.ts';
import type { PlayedScenario } from '../../../scenarios/reports/played-scenario.ts';
import { printable } from '../../shared/output.ts';
import { FaultyScenarios, readScenarioFiles, type ScenarioFiles } from './scenario-files.ts';
import type { AnnotationKind } from './scenario-values.ts';

/** How a run is annotated; `kind` absent: not at all. */
export interface AnnotationOptions {
  readonly kind: AnnotationKind | undefined;
  /** Standard output, where CI systems read annotations. */
  readonly print: (text: string) => void;
}

/** Throws a `CommandError` where the output has to be one JSON object. */
export function refuseAnnotations(options: {
  readonly annotations?: AnnotationKind;
  readonly json: boolean;
}): void {
  if (options.annotations === undefined || !options.json) return;
  throw new CommandError(
    '--annotations and --json both write on stdout. Write the JSON into a file, with --report json=FILE, or omit one.',
  );
}

/** Reads scenarios, and annotates their mistakes before it throws `FaultyScenarios`. */
export function readAnnotated(places: readonly string[], { kind, print }: AnnotationOptions): ScenarioFiles {
  try {
    return readScenarioFiles(places);
  } catch (error) {
    if (kind !== undefined && error instanceof FaultyScenarios)
      printAll(
        error.problems.map(
          ({ file, line, column, message, hint }): Annotation => ({
            level: 'error',
            place: { file, line, column },
            title: 'This scenario cannot be run',
            message: hint === undefined ? message : `${message}\n${hint}`,
          }),
        ),
        print,
      );
    throw error;
  }
}

/** Annotates the scenarios of the run, one after the other. */
export function annotator(
  { files }: ScenarioFiles,
  { kind, print }: AnnotationOptions,
): (played: PlayedScenario) => void {
  if (kind === undefined) return () => undefined;
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  return (played) => printAll(annotationsOf(played, texts.get(played.file) ?? ''), print);
}

function printAll(all: readonly Annotation[], print: (text: string) => void): void {
  for (const { place, ...rest } of all) {
    const placed =
      place === undefined ? rest : { ...rest, place: { ...place, file: inRepository(place.file) } };
    print(`${printable(githubCommand(placed))}\n`);
  }
}

/** GitHub resolves a relative path from the root of the repository, whatever folder a step runs in. */
function inRepository(file: string): string {
  const root = process.env['GITHUB_WORKSPACE'] ?? '';
  const path = root === '' ? file : relative(root, resolve(file));
  return (path.startsWith('..') ? file : path).replaceAll('\\', '/');
}
