import type { DocumentFault } from '../document/explain.ts';
import { hintFor } from '../document/nearest.ts';
import type { Scenario, Step } from '../document/scenario.ts';

/** Names in braces that are always filled in. */
const ALWAYS = ['vehicle', 'box', 'job', 'fleet'];
const PLACEHOLDER = /\{([A-Za-z0-9][\w-]*)\}/g;

/** The names under which a step keeps values of its answer. */
export function namesKeptBy({ does }: Step): readonly string[] {
  return does?.kind === 'call' ? Object.keys(does.call.remember ?? {}) : [];
}

/**
 * Names of remembered values: not those with another meaning, and used only after the step that keeps them. A
 * scenario that remembers nothing may have any text in braces.
 */
export function checkRemembered({ steps }: Scenario): readonly DocumentFault[] {
  if (steps.every((step) => namesKeptBy(step).length === 0)) return [];
  return steps.flatMap((step, index) => {
    const known = [...ALWAYS, ...steps.slice(0, index).flatMap(namesKeptBy)];
    const taken = namesKeptBy(step)
      .filter((name) => ALWAYS.includes(name))
      .map(
        (name): DocumentFault => ({
          place: ['steps', index, 'call', 'remember', name],
          of: 'name',
          message: `{${name}} is taken by the ${name}. Choose another name.`,
        }),
      );
    return [...taken, ...unknownIn(step, index, known)];
  });
}

/** Names that a call uses, and no step before it keeps. */
function unknownIn({ does }: Step, index: number, known: readonly string[]): readonly DocumentFault[] {
  if (does?.kind !== 'call') return [];
  const { name, settings } = does.call;
  if (name !== 'get' && name !== 'patch' && name !== 'request') return [];
  const used = new Set([...JSON.stringify(settings).matchAll(PLACEHOLDER)].map(([, one = '']) => one));
  return [...used]
    .filter((one) => !known.includes(one))
    .map((one) => ({
      place: ['steps', index, 'call', name],
      of: 'value',
      message: `No step before this one remembers {${one}}.`,
      hint: hintFor(one, known) ?? `There are: ${known.join(', ')}.`,
    }));
}

/**
 * How much of a text a run fills in with remembered values, of which these names are known: `whole`, then it becomes
 * the value itself and can be anything; a part of it; or nothing.
 */
export function fillingOf(text: string, names: ReadonlySet<string>): 'whole' | 'part' | 'nothing' {
  const [, only = ''] = new RegExp(`^${PLACEHOLDER.source}$`).exec(text) ?? [];
  if (names.has(only)) return 'whole';
  return [...text.matchAll(PLACEHOLDER)].some(([, name = '']) => names.has(name)) ? 'part' : 'nothing';
}
