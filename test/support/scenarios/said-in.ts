import { readScenario } from '../../../scenarios/language/document/read.ts';

/** What is said of steps below `steps:`, in a fleet of these groups: `line:column message | hint`. */
export function saidIn(fleet: string, ...steps: readonly string[]): readonly string[] {
  const lines = steps.map((step) => `  - ${step}\n`).join('');
  const reading = readScenario(`name: try\nabout: A try.\nfleet: [${fleet}]\nsteps:\n${lines}`, 'try.yaml');
  if (reading.ok) return [];
  return reading.problems.map(
    ({ line, column, message, hint }) =>
      `${line}:${column} ${message}${hint === undefined ? '' : ` | ${hint}`}`,
  );
}
