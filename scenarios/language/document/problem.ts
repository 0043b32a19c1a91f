import type { Scenario } from './scenario.ts';

/** An error in a scenario, with its position. */
export interface ScenarioProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** One English sentence. */
  readonly message: string;
  /** What to do about it, one sentence; absent when the message says it. */
  readonly hint?: string;
}

/** A scenario as written: JSON data, spans as text. Paths of `vary` refer to it. */
export type ScenarioDocument = Readonly<Record<string, unknown>>;

export type ReadResult =
  | { readonly ok: true; readonly scenario: Scenario; readonly document: ScenarioDocument }
  | { readonly ok: false; readonly problems: readonly ScenarioProblem[] };

/**
 * The problem as text: `tunnel.yaml:4:7: message`, the line with a caret below it, and the hint. `text` is
 * the file.
 */
export function printProblem({ file, line, column, message, hint }: ScenarioProblem, text: string): string {
  const head = `${file}:${line}:${column}: ${message}`;
  const source = text.split(/\r\n|\r|\n/)[line - 1];
  const tail = hint === undefined ? [] : [`  ${hint}`];
  if (source === undefined) return [head, ...tail].join('\n');
  // Tabs stay tabs, so that the caret is below its character.
  const indent = source.slice(0, column - 1).replaceAll(/[^\t]/g, ' ');
  return [head, `  ${source}`, `  ${indent}^`, ...tail].join('\n');
}
