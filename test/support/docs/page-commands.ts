import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One block of a page that a reader pastes into a shell, and what the page shows under it. */
export interface PageCommand {
  /** For a test's name: `17 curl -s …`, with the line of the page. */
  readonly name: string;
  readonly command: string;
  readonly answer: { readonly form: string; readonly text: string } | undefined;
}

/** Every `sh` block of a page, with the block right after it where that is an answer. */
export function commandsOf(page: string): readonly PageCommand[] {
  const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    form: match[1] ?? '',
    text: match[2] ?? '',
    line: page.slice(0, match.index).split('\n').length + 1,
  }));
  return blocks.flatMap((block, index) => {
    if (block.form !== 'sh') return [];
    const next = blocks[index + 1];
    const lines = block.text.trim().split('\n');
    return {
      name: `line ${block.line}: ${lines.find((line) => line.includes('curl')) ?? lines[0]}`,
      command: block.text,
      answer: next === undefined || !ANSWERS.includes(next.form) ? undefined : next,
    };
  });
}

const ANSWERS = ['json', 'http', 'text'];

/** The names that a block of assignments sets. */
export function assignedNames(command: string): readonly string[] {
  return [...command.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1] ?? '');
}

/**
 * Runs the steps in one shell, one after the other, in `folder`. Resolves with what each printed; a step that was not
 * reached is undefined. After `deadlineMs` the shell is ended.
 */
export async function runPageCommands(
  bash: string,
  steps: readonly PageCommand[],
  { folder, deadlineMs }: { readonly folder: string; readonly deadlineMs: number },
): Promise<readonly (string | undefined)[]> {
  const outputOf = (index: number) => join(folder, `${index}.output`);
  const script = steps.map(({ command }, index) => `{\n${command}\n} > ${outputOf(index)}\n`);
  const path = join(folder, 'walk.sh');
  writeFileSync(path, `set -u\n${script.join('')}`);
  // A group of its own: whatever the shell started ends with it.
  const shell = spawn(bash, [path], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const { pid } = shell;
  const timer = setTimeout(() => {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  }, deadlineMs);
  await new Promise((resolve, reject) => shell.once('exit', resolve).once('error', reject));
  clearTimeout(timer);
  return steps.map((_, index) =>
    existsSync(outputOf(index)) ? readFileSync(outputOf(index), 'utf8') : undefined,
  );
}

/** Why an output is not what the page shows; undefined: it is. */
export function outputDifference(
  { form, text }: { form: string; text: string },
  output: string,
): string | undefined {
  if (form === 'json') return jsonDifference(JSON.parse(text), read(output), '');
  if (form === 'text')
    return isLike(text.trim(), output.trim()) ? undefined : `It printed ${JSON.stringify(output)}.`;
  const shown = readHttp(text);
  const came = readHttp(output);
  if (shown.status !== came.status) return `It answered ${came.status}: ${came.body}`;
  for (const [name, value] of shown.headers) {
    const actual = came.headers.get(name);
    if (actual === undefined || !isLike(value, actual)) return `${name}: ${actual ?? 'is missing'}`;
  }
  return shown.body === '' ? undefined : jsonDifference(JSON.parse(shown.body), read(came.body), '');
}

function readHttp(text: string): {
  readonly status: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const [head = '', ...rest] = text.replaceAll('\r', '').split('\n\n');
  const [status = '', ...lines] = head.trim().split('\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status, headers: new Map(headers), body: rest.join('\n\n').trim() };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `(not JSON) ${text}`;
  }
}

/** The first place at which `actual` lacks something of `shown`; what it has beyond is left alone. */
function jsonDifference(shown: unknown, actual: unknown, place: string): string | undefined {
  if (typeof shown === 'string' && isLike(shown, typeof actual === 'string' ? actual : undefined))
    return undefined;
  if (Array.isArray(shown) && Array.isArray(actual) && shown.length === actual.length)
    return firstOf(shown.map((part, index) => jsonDifference(part, actual[index], `${place}/${index}`)));
  if (isObject(shown) && isObject(actual))
    return firstOf(
      Object.entries(shown).map(([name, part]) => jsonDifference(part, actual[name], `${place}/${name}`)),
    );
  return shown === actual ? undefined : `${place === '' ? 'It' : place} is ${JSON.stringify(actual)}.`;
}

function firstOf(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((one) => one !== undefined);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Each `…` stands for some text, but not for none. */
function isLike(shown: string, actual: string | undefined): boolean {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return actual !== undefined && new RegExp(`^${parts.join('[\\s\\S]+')}$`).test(actual);
}
