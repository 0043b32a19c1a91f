import { CommandError } from '../../deployment/shared/command-error.ts';
import { nearestName } from '../../scenarios/language/document/nearest.ts';

/**
 * The names that `--only` chooses: for each text the name that it is, or else all names that contain it, in any case.
 * Without texts: all. `lists`: the command that lists the names. Throws a `CommandError` for a text in none of them.
 */
export function chosenNames<Name extends string>(
  names: readonly Name[],
  only: readonly string[],
  lists: string,
): readonly Name[] {
  if (only.length === 0) return names;
  const chosen = new Set(only.flatMap((text) => namedBy(names, text, lists)));
  return names.filter((name) => chosen.has(name));
}

function namedBy<Name extends string>(names: readonly Name[], text: string, lists: string): readonly Name[] {
  const wanted = text.toLowerCase();
  const exact = names.filter((name) => name.toLowerCase() === wanted);
  const found = exact.length > 0 ? exact : names.filter((name) => name.toLowerCase().includes(wanted));
  if (found.length > 0) return found;
  const near = nearestName(text, names);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new CommandError(`--only ${JSON.stringify(text)} is in no name.${meant} "${lists}" lists them.`);
}
