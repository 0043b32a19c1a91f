import { LABELS, type MatchRule } from './rules.ts';

/** The meaning of a label of a value table for a switch. */
export type LabelMeaning = 'yes' | 'no' | 'unavailable' | 'failure';

const EVERYWHERE = {
  yes: setOf(LABELS.yes),
  no: setOf(LABELS.no),
  unavailable: setOf(LABELS.unavailable),
  failure: setOf(LABELS.failure),
};

/** `Not locked` of `locked` means no; undefined: it means neither. */
export function meaningOf(label: string, rule: Pick<MatchRule, 'yes' | 'no'> = {}): LabelMeaning | undefined {
  const code = codeOf(label);
  if (code !== undefined) return code;
  const words = labelWords(label);
  const rest = words.filter((word) => word !== 'not' && word !== 'no');
  // `No` alone means no; before another word it negates it.
  const isNegated = rest.length < words.length && rest.length > 0;
  const own = { yes: setOf(rule.yes ?? ''), no: setOf(rule.no ?? '') };
  for (const known of [own, EVERYWHERE]) {
    const [isYes, isNo] = [known.yes, known.no].map((set) =>
      (rest.length > 0 ? rest : words).some((word) => set.has(word)),
    );
    if (isYes === isNo) continue;
    return (isYes === true) !== isNegated ? 'yes' : 'no';
  }
  return undefined;
}

/** Whether a label means that there is no value, or that a sensor failed; undefined: neither. */
export function codeOf(label: string): 'unavailable' | 'failure' | undefined {
  const words = labelWords(label);
  const whole = words.join('');
  const says = (set: ReadonlySet<string>) => set.has(whole) || words.some((word) => set.has(word));
  if (whole.endsWith('notavailable') || says(EVERYWHERE.unavailable)) return 'unavailable';
  // `No fault` is no failure.
  return says(EVERYWHERE.failure) && !words.includes('no') && !words.includes('not') ? 'failure' : undefined;
}

/** The word of a choice that a label stands for. */
export function wordOf(label: string, words: Readonly<Record<string, string>>): string | undefined {
  const whole = labelWords(label).join(' ');
  if (Object.hasOwn(words, whole)) return words[whole];
  const found = new Set(
    labelWords(label).flatMap((word) => (Object.hasOwn(words, word) ? [words[word]] : [])),
  );
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

function labelWords(label: string): readonly string[] {
  return label
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').filter((word) => word !== ''));
}
