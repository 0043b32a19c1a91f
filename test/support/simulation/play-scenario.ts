import type { Evidence, Pages } from '../../../judge/evidence/evidence.ts';
import { CHECKS } from '../../../judge/rules/checks.ts';
import type { ScenarioDocument } from '../../../scenarios/language/document/problem.ts';
import { readDocument, readScenario } from '../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import type { RunOutcome } from '../../../scenarios/run/outcome.ts';
import { run } from '../../../scenarios/run/run.ts';
import { runVirtual, type VirtualRunOptions } from '../../../scenarios/run/run-virtual.ts';
import {
  openVirtualTestbed,
  type VirtualTestbed,
  type VirtualTestbedOptions,
} from '../../../scenarios/testbed/virtual/virtual-testbed.ts';
import { runInSandbox } from '../../../world/sandbox/virtual-sandbox.ts';

/** Reads a scenario that a test wrote or drew; without checkers if a text names none. */
export function parsedScenario(text: string | ScenarioDocument): Scenario {
  if (typeof text !== 'string') {
    const checked = readDocument(text);
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    return checked.scenario;
  }
  const reading = readScenario(text.includes('always:') ? text : `${text}\nalways: []\n`, 'test.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.scenario;
}

export function playScenario(
  text: string | ScenarioDocument,
  options: VirtualRunOptions = {},
): Promise<RunOutcome> {
  return runVirtual(parsedScenario(text), options);
}

/** Runs a scenario, and calls `ask` with the evidence before the testbed is closed, and with the checkers' findings. */
export async function playAndInspect<T>(
  text: string | ScenarioDocument,
  ask: (evidence: Evidence, testbed: VirtualTestbed, findings: readonly string[]) => Promise<T>,
  options: VirtualTestbedOptions = {},
): Promise<T> {
  const scenario = parsedScenario(text);
  const testbed = openVirtualTestbed(scenario, options);
  const { virtualWorld: world } = testbed;
  try {
    return await runInSandbox(world, () =>
      world.run(async () => {
        const { expectations, checkers } = await run(scenario, { testbed, checks: CHECKS });
        const unmet = expectations.filter(({ result }) => result === 'failed');
        if (unmet.length > 0) throw new Error(unmet.map(({ text: said }) => said).join('\n'));
        const findings = checkers.flatMap(({ checker, findings: told }) =>
          told.map(({ text: said }) => `${checker}: ${said}`),
        );
        return ask(testbed.evidence, testbed, findings);
      }),
    );
  } finally {
    await testbed.close();
  }
}

/** What was not as expected, what checkers found, and why the run ended otherwise. */
export function failuresOf({ expectations, checkers, reason }: RunOutcome): readonly string[] {
  return [
    ...(reason === undefined ? [] : [reason]),
    ...expectations
      .filter(({ result }) => result === 'failed')
      .map(({ step, text }) => `step ${step}: ${text}`),
    ...checkers.flatMap(({ checker, findings }) => findings.map(({ text }) => `${checker}: ${text}`)),
  ];
}

export async function itemsOf<T>(pages: Pages<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const page of pages) list.push(...page);
  return list;
}
