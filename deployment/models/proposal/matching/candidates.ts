import type { DbcDatabase, DbcMessage, DbcSignal } from '../../../../protocol/dbc/database.ts';
import { wordsOf } from './name-words.ts';
import { MATCH_RULES, type MatchRule, NEVER } from './rules.ts';

/** A signal with the name of a quantity. */
export interface Candidate {
  readonly rule: MatchRule;
  readonly message: DbcMessage;
  readonly signal: DbcSignal;
  /** All words of its name. */
  readonly words: ReadonlySet<string>;
  /** The words that matched: `vehicle speed`. */
  readonly because: string;
  /** A higher score, and words in the signal's own name, come first. */
  readonly score: number;
}

const RULES = MATCH_RULES.map((rule) => ({
  rule,
  // A warning is shown by a lamp; if that word means something else, the rule refuses it.
  names: rule.names
    .flatMap((name) => (name.includes('warning') ? [name, name.replace('warning', 'lamp')] : [name]))
    .map((name) => name.split(' ')),
  notAround: new Set((rule.notAround ?? '').split(' ')),
  not: new Set(`${NEVER} ${rule.not ?? ''}`.split(' ')),
}));

/** All candidates, the best first; of equal ones that of the earlier rule, then of the earlier signal. */
export function candidatesIn({ messages }: DbcDatabase): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const message of messages) {
    const around = new Set(wordsOf(message.longName ?? message.name));
    for (const signal of message.signals) {
      const name = signal.longName ?? signal.name;
      const own = new Set(wordsOf(name));
      const last = new Set(wordsOf(name.slice(name.lastIndexOf('_') + 1)));
      for (const { rule, names, not, notAround } of RULES) {
        if ([...around].some((word) => notAround.has(word))) continue;
        // A word of a name does not exclude that name: a warning matches the name of a warning.
        const [best] = names
          .map((words) => ({ words, all: separated(own, words) }))
          .filter(({ words, all }) => [...all].every((word) => !not.has(word) || words.includes(word)))
          .map(({ words, all }) => ({ words, all, score: scoreOf(words, { own: all, last, around }) }))
          .filter(({ score }) => score > 0)
          .sort((one, other) => other.score - one.score);
        if (best !== undefined)
          found.push({
            rule,
            message,
            signal,
            words: best.all,
            because: best.words.join(' '),
            score: best.score,
          });
      }
    }
  }
  // The sort is stable, so equal ones keep the order of the file; the rules' own order comes before it.
  const rank = new Map(MATCH_RULES.map((rule, index) => [rule, index]));
  return found.sort(
    (one, other) => other.score - one.score || (rank.get(one.rule) ?? 0) - (rank.get(other.rule) ?? 0),
  );
}

/**
 * A name in capitals alone is one word. If it contains the words of a rule, it is split into them and the rest:
 * ENGINESPEEDMAX.
 */
function separated(own: ReadonlySet<string>, words: readonly string[]): ReadonlySet<string> {
  const [only = ''] = own;
  const joined = words.join('');
  if (own.size !== 1 || words.length === 1 || !only.includes(joined)) return own;
  return new Set([...words, ...only.split(joined).flatMap(wordsOf)]);
}

/** The words of a signal's name, those of its last part behind a `_`, and the words of its message's name. */
interface NameOfSignal {
  readonly own: ReadonlySet<string>;
  readonly last: ReadonlySet<string>;
  readonly around: ReadonlySet<string>;
}

/**
 * The penalty for one further word in the name: less than the gain of a word, so that it only decides between equal
 * ones.
 */
const OTHER_WORD = 0.1;

/**
 * 2 for a word of the signal's name, 1 for one of its message's. 0: one is missing, none is of the signal itself, or
 * its name has so many others that it means something else.
 */
function scoreOf(words: readonly string[], { own, last, around }: NameOfSignal): number {
  const ownCount = words.filter((word) => own.has(word)).length;
  if (ownCount === 0 || !words.every((word) => own.has(word) || around.has(word))) return 0;
  const others = own.size - ownCount;
  // The text before the last part of a long name is the source of the signal: PowerControlUnit_VehicleSpeed.
  const isLastPart = words.length > 1 && last.size === words.length && words.every((word) => last.has(word));
  if (!isLastPart && others > (ownCount === 1 ? 1 : 2 * ownCount)) return 0;
  return ownCount + words.length - OTHER_WORD * others;
}
