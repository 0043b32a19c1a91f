import '#supported-node';
import { basename } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Box } from './box.ts';
import { errorAtCaller } from './caller.ts';
import { limits } from './limits.ts';
import {
  CONDITIONS,
  type ExpectedState,
  lookUntil,
  stateCondition,
  type VehicleMatchers,
} from './matchers.ts';
import type { WaitTime } from './message.ts';
import type { Running } from './running.ts';
import type { ScenarioRunOptions } from './scenario-result.ts';
import { expectScenario } from './scenario-test.ts';
import { commandLine, folderOf, serviceOfFile } from './service-of-file.ts';
import type { StartOptions } from './start.ts';
import { shortPath } from './test-results.ts';
import type { Device } from './vehicle.ts';

export type { ExpectedState, VehicleMatchers } from './matchers.ts';

/** What can be expected of a vehicle: everything that can be of any value, and how the vehicle is. */
export type VehicleAssertion = ReturnType<typeof expect.soft> &
  VehicleMatchers & { readonly not: VehicleMatchers };

declare module 'vitest' {
  interface ExpectStatic {
    /** Of a vehicle of a running service, or of its box. */
    // biome-ignore lint/style/useShorthandFunctionType: it is one more signature of an interface that exists.
    (vehicle: Device | Box, message?: string): VehicleAssertion;
  }
}

expect.extend({
  toBeLocked(vehicle: unknown, time?: WaitTime) {
    return lookUntil(vehicle, CONDITIONS.toBeLocked, time, this.isNot);
  },
  toBeUnlocked(vehicle: unknown, time?: WaitTime) {
    return lookUntil(vehicle, CONDITIONS.toBeUnlocked, time, this.isNot);
  },
  toBeConnected(vehicle: unknown, time?: WaitTime) {
    return lookUntil(vehicle, CONDITIONS.toBeConnected, time, this.isNot);
  },
  toHaveState(vehicle: unknown, state: ExpectedState, time?: WaitTime) {
    return lookUntil(
      vehicle,
      stateCondition(state, (found, one) => this.equals(found, one)),
      time,
      this.isNot,
    );
  },
});

/**
 * A service for the tests of this file, or of the surrounding `describe`: started on free ports before them, ended
 * after them. A test that fails reports the seed of its fleet, and leaves a report and a trace in `test-results/`.
 */
export function boxtwin(options: StartOptions = {}): Running {
  const { service, begin, end, testBegins, failed } = serviceOfFile(options);
  beforeAll(begin, limits.startMs);
  afterAll(end, limits.startMs);
  beforeEach(({ task, onTestFailed }) => {
    const file = shortPath(task.file.filepath);
    const name = [...suitesOf(task.suite), task.name].join(' ');
    const folder = folderOf(file, name);
    testBegins(folder);
    onTestFailed(async () => {
      const errors = task.result?.errors ?? [];
      const texts = errors.map(({ message, stack }) => stack ?? message);
      const repeat = commandLine('npx', 'vitest', 'run', file, '-t', name);
      const found = failed({ file, name, errors: texts, repeat }, folder);
      if (found === undefined) return;
      for (const error of errors) addTo(error, found.lines);
      await found.kept;
    });
  });
  return service;
}

/** The names of the groups around a test, outermost first. */
function suitesOf(suite: Suite | undefined): readonly string[] {
  return suite === undefined ? [] : [...suitesOf(suite.suite), suite.name];
}

interface Suite {
  readonly name: string;
  readonly suite?: Suite | undefined;
}

/**
 * A test for each scenario file, in the virtual world: without a socket, and hours take seconds. A failed one names the
 * step and its line, reports the events around it, and leaves report and trace in `test-results/`.
 */
export function scenarioTests(files: string | readonly string[], options: ScenarioRunOptions = {}): void {
  const all = typeof files === 'string' ? [files] : files;
  if (all.length === 0) throw errorAtCaller('boxtwin: scenarioTests was given no files.', scenarioTests);
  for (const file of all) test(basename(file), () => expectScenario(file, options), limits.scenarioMs);
}

/** Reporters print the stack, which begins with the message. */
function addTo(error: { message: string; stack?: string }, lines: string): void {
  if (error.message.includes(lines)) return;
  const { message, stack } = error;
  error.message = `${message}\n${lines}`;
  if (stack?.includes(message) === true) error.stack = stack.replace(message, () => error.message);
}
