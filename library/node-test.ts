import '#supported-node';
import { basename } from 'node:path';
import { after, afterEach, before, beforeEach, type TestContext, test } from 'node:test';
import { errorAtCaller } from './caller.ts';
import { limits } from './limits.ts';
import type { Running } from './running.ts';
import type { ScenarioRunOptions } from './scenario-result.ts';
import { expectScenario } from './scenario-test.ts';
import { commandLine, folderOf, serviceOfFile } from './service-of-file.ts';
import type { StartOptions } from './start.ts';
import { shortPath } from './test-results.ts';

/**
 * A service for the tests of this file, or of the surrounding `describe`: started on free ports before them, ended
 * after them. A test that fails reports the seed of its fleet, and leaves a report and a trace in `test-results/`.
 */
export function boxtwin(options: StartOptions = {}): Running {
  const { service, begin, end, testBegins, failed } = serviceOfFile(options);
  before(begin, { timeout: limits.startMs });
  after(end, { timeout: limits.startMs });
  beforeEach((context) => testBegins(placeOf(context).folder));
  afterEach(async (context) => {
    const error = 'error' in context ? context.error : null;
    if (error == null) return;
    const { file, name, folder } = placeOf(context);
    const repeat = commandLine(
      'node',
      '--test',
      `--test-name-pattern=${context.name}`,
      ...(file === undefined ? [] : [file]),
    );
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    const found = failed({ file, name, errors: [text], repeat }, folder);
    if (found === undefined) return;
    for (const line of found.lines.split('\n')) (context as TestContext).diagnostic(line);
    await found.kept;
  });
  return service;
}

type Context = Parameters<NonNullable<Parameters<typeof beforeEach>[0]>>[0];

/** The file and the whole name of a test, and its folder. */
function placeOf(context: Context): {
  readonly file: string | undefined;
  readonly name: string;
  readonly folder: string;
} {
  const { filePath } = context;
  const file = filePath === undefined ? undefined : shortPath(filePath);
  const name = (context as Partial<TestContext>).fullName ?? context.name;
  return { file, name, folder: folderOf(file, name) };
}

/**
 * A test for each scenario file, in the virtual world: without a socket, and hours take seconds. A failed one names the
 * step and its line, reports the events around it, and leaves report and trace in `test-results/`.
 */
export function scenarioTests(files: string | readonly string[], options: ScenarioRunOptions = {}): void {
  const all = typeof files === 'string' ? [files] : files;
  if (all.length === 0) throw errorAtCaller('boxtwin: scenarioTests was given no files.', scenarioTests);
  for (const file of all)
    void test(basename(file), { timeout: limits.scenarioMs }, () => expectScenario(file, options));
}
