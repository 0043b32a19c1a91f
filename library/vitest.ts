import { basename } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
  beforeAll(begin, limits.startMs);
  afterAll(end, limits.startMs);
  beforeEach(({ onTestFailed }) => {
    testBegins();
    onTestFailed(({ task }) => {
      const line = repeat();
      if (line !== undefined) for (const error of task.result?.errors ?? []) addTo(error, line);
    });
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
    test(
      basename(file),
      async () => {
        const { verdict, report } = await runScenarioFile(file, options);
        expect(verdict, report).toBe('passed');
      },
      limits.scenarioMs,
    );
}

/** Reporters print the stack, which begins with the message. */
function addTo(error: { message: string; stack?: string }, line: string): void {
  if (error.message.includes(line)) return;
  const { message, stack } = error;
  error.message = `${message}\n${line}`;
  if (stack?.includes(message) === true) error.stack = stack.replace(message, () => error.message);
}
