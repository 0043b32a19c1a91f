import type { DbcDatabase, DbcMessage, DbcSignal } from '../../../protocol/dbc/database.ts';
import { wordsOf } from './name-words.ts';
import { MATCH_RULES, type MatchRule, NEVER } from './rules.ts';

/** A signal whose name is that of a quantity. */
export interface Candidate {
  readonly rule: MatchRule;
  readonly message: DbcMessage;
  readonly signal: DbcSignal;
  /** The words that made it one: `vehicle speed`. */
  readonly because: string;
  /** More of them, and in the signal's own name, come first. */
  readonly score: number;
}

/** All candidates, the best first; of equal ones that of the earlier rule, then of the earlier signal. */
export function candidatesIn({ messages }: DbcDatabase): readonly Candidate[] {
  const rules = MATCH_RULES.map((rule) => ({
    rule,
    // A warning is shown by a lamp; where that word says something else, the rule refuses it.
    names: rule.names
      .flatMap((name) => (name.includes('warning') ? [name, name.replace('warning', 'lamp')] : [name]))
      .map((name) => name.split(' ')),
    notAround: new Set((rule.notAround ?? '').split(' ')),
    not: new Set(`${NEVER} ${rule.not ?? ''}`.split(' ')),
  }));
  const found: Candidate[] = [];
  for (const message of messages) {
    const around = new Set(wordsOf(message.name));
    for (const signal of message.signals) {
      const own = new Set(wordsOf(signal.name));
      const whole = signal.name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
      for (const { rule, names, not, notAround } of rules) {
        if ([...own].some((word) => not.has(word)) || [...around].some((word) => notAround.has(word)))
          continue;
        const [best] = names
          .map((words) => ({ words, score: scoreOf(words, own, whole, around) }))
          .filter(({ score }) => score > 0)
          .sort((one, other) => other.score - one.score);
        if (best !== undefined)
          found.push({ rule, message, signal, because: best.words.join(' '), score: best.score });
      }
    }
  }
  // Sorting keeps the order of equal ones, which is that of the file; the rules' own comes before it.
  const rank = new Map(MATCH_RULES.map((rule, index) => [rule, index]));
  return found.sort(
    (one, other) => other.score - one.score || (rank.get(one.rule) ?? 0) - (rank.get(other.rule) ?? 0),
  );
}

/** What one further word in the name takes away: fewer than a word gives, so that it only decides between equal ones. */
const OTHER_WORD = 0.1;

/**
 * 2 for a word of the signal's name, 1 for one of its message's. 0: one is missing, none is of the signal itself, or so many
 * others stand in its name that it is about something else.
 */
function scoreOf(
  words: readonly string[],
  own: ReadonlySet<string>,
  whole: string,
  around: ReadonlySet<string>,
): number {
  // Names in capitals alone have no words: ENGINESPEED.
  if (own.size === 1 && words.length > 1 && whole.includes(words.join(''))) return 2 * words.length;
  const ownCount = words.filter((word) => own.has(word)).length;
  if (ownCount === 0 || !words.every((word) => own.has(word) || around.has(word))) return 0;
  const others = own.size - ownCount;
  if (others > (ownCount === 1 ? 1 : 2 * ownCount)) return 0;
  return ownCount + words.length - OTHER_WORD * others;
}
