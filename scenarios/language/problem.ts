import type { Scenario } from './scenario.ts';

/** What is wrong with a scenario, and where. */
export interface Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** One English sentence. */
  readonly message: string;
  /** What to do about it, one sentence; absent where the message says it. */
  readonly hint?: string;
}

/** A scenario as it was written: JSON data, spans as text. What `vary` points into. */
export type Document = Readonly<Record<string, unknown>>;

export type Reading =
  | { readonly ok: true; readonly scenario: Scenario; readonly document: Document }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** `tunnel.yaml:4:7: message`, the line with a caret below it, and the hint. `text` is the file. */
export function printProblem({ file, line, column, message, hint }: Problem, text: string): string {
  const head = `${file}:${line}:${column}: ${message}`;
  const source = text.split(/\r\n|\r|\n/)[line - 1];
  const tail = hint === undefined ? [] : [`  ${hint}`];
  if (source === undefined) return [head, ...tail].join('\n');
  // Tabs stay tabs, so that the caret stands under its character.
  const indent = source.slice(0, column - 1).replaceAll(/[^\t]/g, ' ');
  return [head, `  ${source}`, `  ${indent}^`, ...tail].join('\n');
}
