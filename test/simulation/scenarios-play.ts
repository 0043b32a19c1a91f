import { CHECKS } from '../../scenarios/checkers/checks.ts';
import { readScenario } from '../../scenarios/language/read.ts';
import type { Scenario } from '../../scenarios/language/scenario.ts';
import type { Evidence, Pages } from '../../scenarios/run/evidence.ts';
import type { Outcome } from '../../scenarios/run/outcome.ts';
import { run } from '../../scenarios/run/run.ts';
import { runVirtual, type VirtualRunOptions } from '../../scenarios/virtual/run-virtual.ts';
import {
  openVirtualTheatre,
  type VirtualTheatre,
  type VirtualTheatreOptions,
} from '../../scenarios/virtual/theatre.ts';
import { runInSandbox } from '../../world/virtual-sandbox.ts';

/** Reads what a test writes; no checker where it names none. */
export function scenarioOf(text: string): Scenario {
  const reading = readScenario(text.includes('always:') ? text : `${text}\nalways: []\n`, 'test.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.scenario;
}

export function play(text: string, options: VirtualRunOptions = {}): Promise<Outcome> {
  return runVirtual(scenarioOf(text), options);
}

/** Plays, and looks at what the sides can tell before the theatre is closed. */
export async function playAndAsk<T>(
  text: string,
  ask: (evidence: Evidence, theatre: VirtualTheatre) => Promise<T>,
  options: VirtualTheatreOptions = {},
): Promise<T> {
  const scenario = scenarioOf(text);
  const theatre = openVirtualTheatre(scenario, options);
  const { virtualWorld: world } = theatre;
  try {
    return await runInSandbox(world, () =>
      world.run(async () => {
        const { expectations } = await run(scenario, { theatre, checks: CHECKS });
        const unmet = expectations.filter(({ isMet }) => !isMet);
        if (unmet.length > 0) throw new Error(unmet.map(({ text: said }) => said).join('\n'));
        return ask(theatre.evidence, theatre);
      }),
    );
  } finally {
    await theatre.close();
  }
}

/** What was not as expected, and why the run ended otherwise. */
export function complaintsOf({ expectations, reason }: Outcome): readonly string[] {
  return [
    ...(reason === undefined ? [] : [reason]),
    ...expectations.filter(({ isMet }) => !isMet).map(({ step, text }) => `step ${step}: ${text}`),
  ];
}

export async function listOf<T>(pages: Pages<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const page of pages) list.push(...page);
  return list;
}
