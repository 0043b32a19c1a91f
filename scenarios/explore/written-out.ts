import type { ScenarioDocument } from '../language/document/problem.ts';
import type { RunOutcome } from '../run/outcome.ts';

type Group = Readonly<Record<string, unknown>>;

/**
 * The document with the model and the firmware in it that were drawn for each group: a later release, or another group
 * before it, would draw others. A group whose vehicles differ stays as it is. Undefined: nothing was drawn.
 */
export function withDrawnVehicles(
  document: ScenarioDocument,
  { vehicles }: Pick<RunOutcome, 'vehicles'>,
): ScenarioDocument | undefined {
  const fleet = (document['fleet'] ?? []) as readonly Group[];
  const written = fleet.map((group, index): Group => {
    const own = vehicles.filter((one) => one.group === (group['as'] ?? `fleet-${index}`));
    return {
      ...only(
        'model',
        own.map(({ model }) => model),
      ),
      ...only(
        'firmware',
        own.map(({ firmware }) => firmware),
      ),
      ...group,
    };
  });
  const isSame = written.every((group, index) => sizeOf(group) === sizeOf(fleet[index] ?? {}));
  return isSame ? undefined : { ...document, fleet: written };
}

function only(word: string, values: readonly (string | undefined)[]): Group {
  const [value, ...others] = new Set(values);
  return value === undefined || others.length > 0 ? {} : { [word]: value };
}

function sizeOf(group: Group): number {
  return Object.keys(group).length;
}
