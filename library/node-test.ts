import { basename } from 'node:path';
import { after, afterEach, before, beforeEach, type TestContext, test } from 'node:test';
import { limits } from './limits.ts';
import { runScenarioFile, type ScenarioRunOptions } from './scenario.ts';
import { serviceOfFile } from './service-of-file.ts';
import type { Running, StartOptions } from './start.ts';

/**
 * A service for the tests of this file, or of the surrounding `describe`: started on free ports before them, ended
 * after them. A test that fails reports the seed of its fleet.
 */
export function boxtwin(options: StartOptions = {}): Running {
  const { service, begin, end, testBegins, repeat } = serviceOfFile(options);
  before(begin, { timeout: limits.startMs });
  after(end, { timeout: limits.startMs });
  beforeEach(testBegins);
  afterEach((context) => {
    const line = repeat();
    const hasFailed = 'error' in context && context.error != null;
    if (hasFailed && line !== undefined) (context as TestContext).diagnostic(line);
  });
  return service;
}

/**
 * A test for each scenario file, in the virtual world: without a socket, and hours take seconds. A failed one reports
 * the findings, and the events around them.
 */
export function scenarioTests(files: string | readonly string[], options: ScenarioRunOptions = {}): void {
  const all = typeof files === 'string' ? [files] : files;
  if (all.length === 0) throw new Error('boxtwin: scenarioTests was given no files.');
  for (const file of all)
    void test(basename(file), { timeout: limits.scenarioMs }, async () => {
      const { verdict, report } = await runScenarioFile(file, options);
      if (verdict !== 'passed') throw new Error(report);
    });
}
