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
  /** How to fix it, one sentence; absent when the message says it. */
  readonly hint?: string;
}

/** A scenario as written: JSON data, spans as text. Paths of `vary` refer to it. */
export type ScenarioDocument = Readonly<Record<string, unknown>>;

export type ReadResult =
  | {
      readonly ok: true;
      readonly scenario: Scenario;
      readonly document: ScenarioDocument;
      /** What can be run and is hardly intended. */
      readonly warnings: readonly ScenarioProblem[];
    }
  | { readonly ok: false; readonly problems: readonly ScenarioProblem[] };

/** The longest message and hint: they can quote a name as long as the file. */
const MESSAGE_CHARACTERS = 1_000;

/** The problem with its message and hint cut where they are too long to be read. */
export function shortProblem({ message, hint, ...rest }: ScenarioProblem): ScenarioProblem {
  return { ...rest, message: cut(message), ...(hint === undefined ? {} : { hint: cut(hint) }) };
}

function cut(text: string): string {
  return text.length > MESSAGE_CHARACTERS ? `${text.slice(0, MESSAGE_CHARACTERS)}...` : text;
}

/** How much of a line is shown before the place of a problem, and after it. */
const SHOWN_BEFORE = 120;
const SHOWN_AFTER = 80;

/** What a scenario or a vehicle model has at its outermost level, in YAML or JSON. */
const OUTERMOST = /^[\s{]*["']?(?:name|about|fleet|steps|rows|body)["']?\s*:/m;

/**
 * The problem as text: `tunnel.yaml:4:7: message`, the line with a caret below it, and the hint. `text` is
 * the file. Of a long line only the part around the place is shown. Of a file that is neither a scenario nor a
 * model no line is shown: it may hold secrets.
 */
export function printProblem({ file, line, column, message, hint }: ScenarioProblem, text: string): string {
  const head = `${file}:${line}:${column}: ${message}`;
  const whole = OUTERMOST.test(text) ? text.split(/\r\n|\r|\n/)[line - 1] : undefined;
  const tail = hint === undefined ? [] : [`  ${hint}`];
  if (whole === undefined) return [head, ...tail].join('\n');
  const from = column - 1 > SHOWN_BEFORE ? column - 1 - SHOWN_BEFORE : 0;
  const until = column - 1 + SHOWN_AFTER;
  const [left, right] = [from > 0 ? '...' : '', until < whole.length ? '...' : ''];
  const source = `${left}${whole.slice(from, until)}${right}`;
  // Tabs stay tabs, so that the caret is below its character.
  const indent = source.slice(0, left.length + column - 1 - from).replaceAll(/[^\t]/g, ' ');
  return [head, `  ${source}`, `  ${indent}^`, ...tail].join('\n');
}
