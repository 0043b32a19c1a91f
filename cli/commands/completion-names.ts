import type { Completion, RootCommand } from '@bomb.sh/tab';
import { usualData } from '../shared/data-option.ts';
import { limits } from '../shared/limits.ts';

/** Names that a word of a command line may be. */
type Names = (line: CompletedLine) => Promise<readonly Completion[]>;

/** What is typed so far. */
interface CompletedLine {
  /** The word at the cursor, as far as it goes. */
  readonly begun: string;
  /** The data directory that the line names; otherwise the usual one. */
  readonly data: string;
}

/** An argument by its name, or an option that begins with `--`, of a command: what it may be. */
const ROWS: readonly (readonly [command: string, place: string, names: Names])[] = [
  ['do', 'vehicle', async (line) => [...(await vehicles(line)), { value: 'all' }]],
  ['do', 'action', actions],
  ['vehicles', 'vehicle', vehicles],
  ['wire', 'box', vehicles],
  ['tail', '--vehicle', vehicles],
  ['provoke', '--vehicle', vehicles],
  ['provoke', 'problem', problems],
  ['scenario run', 'place', stories],
  ['scenario check', 'place', stories],
  ['scenario explore', 'file', stories],
  ['scenario new', '--from', stories],
];

/**
 * Adds the names that exist now to what completion offers: vehicles and actions of the running installation, none where
 * none runs, shipped stories, problems. `words`: the line behind `boxtwin`, the last one being typed. Only the command on
 * the line is asked, and within `limits.completionMs`. Returns false where that was not enough.
 */
export async function offerNames(root: RootCommand, words: readonly string[]): Promise<boolean> {
  const typed = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const line = { begun: words.at(-1) ?? '', data: dataOf(words) };
  let isInTime = true;
  for (const [name, place, names] of ROWS) {
    if (!name.split(' ').every((word, index) => typed[index] === word)) continue;
    const command = root.commands.get(name);
    const spot = place.startsWith('--')
      ? command?.options.get(place.slice(2))
      : command?.arguments.get(place);
    if (spot === undefined) throw new Error(`There is no ${place} of ${name} to complete.`);
    const found = await inTime(names(line));
    isInTime &&= found !== undefined;
    const shown = (found ?? []).filter(({ value }) => value.startsWith(line.begun));
    spot.handler = (complete) => {
      for (const { value, description = '' } of shown.slice(0, limits.completedNames))
        complete(value, description);
    };
  }
  return isInTime;
}

function dataOf(words: readonly string[]): string {
  const at = words.lastIndexOf('--data');
  const joined = words.findLast((word) => word.startsWith('--data='))?.slice('--data='.length);
  return joined ?? (at < 0 ? undefined : words[at + 1]) ?? usualData();
}

/** Undefined: it took too long. Nothing where nothing runs there, or it refuses: a shell shows no errors. */
function inTime(names: Promise<readonly Completion[]>): Promise<readonly Completion[] | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), limits.completionMs);
  return Promise.race([names.catch(() => []), late.promise]).finally(() => clearTimeout(timer));
}

async function vehicles({ data }: CompletedLine): Promise<readonly Completion[]> {
  const { runningVehicles } = await import('../shared/running-vehicles.ts');
  const running = await runningVehicles({ data, force: false });
  return running.flatMap(({ vehicleId, model, licensePlate, state }) =>
    vehicleId === null ? [] : [{ value: vehicleId, description: `${model}, ${licensePlate}, ${state}` }],
  );
}

async function actions({ data }: CompletedLine): Promise<readonly Completion[]> {
  const { runningActions } = await import('./running/do.ts');
  const all = await runningActions({ data, force: false });
  return all.map(({ name, does }) => ({ value: name, description: does.split(/[.:]\s/)[0] ?? '' }));
}

async function problems(): Promise<readonly Completion[]> {
  const { PROBLEM_TABLE } = await import('../../scenarios/causes/table.ts');
  const { PROBLEMS } = await import('../../contract/problems.ts');
  return [...new Set(PROBLEM_TABLE.map(({ problem }) => problem))].map((problem) => ({
    value: problem,
    description: `${PROBLEMS[problem].status} ${PROBLEMS[problem].title}`,
  }));
}

async function stories(): Promise<readonly Completion[]> {
  const { shippedStories } = await import('./scenario/shipped-stories.ts');
  return shippedStories().map(({ name }) => ({ value: name, description: '' }));
}
