import { problem, type Refusal } from '../../contract/problems.ts';
import { quote } from './quoted-text.ts';

/** The fields of a zod issue that are needed here. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  /** Of a name in a record. */
  readonly issues?: readonly { readonly message: string }[];
}

/**
 * The 400 of a body or parameters that break a rule: the first broken rule, with the property that breaks it. `what` is
 * the word for a name that is not known, `repeated` the names of parameters that were given more than once.
 */
export function validationRefusal(
  issues: readonly Issue[],
  what: 'property' | 'parameter' = 'property',
  repeated: readonly string[] = [],
): Refusal {
  const issue = issues[0];
  if (issue === undefined) return problem('validation-error', 'The request is not valid.');
  const place = issue.path.map((name) => shown(String(name))).join('.');
  // A custom message that starts with a name concerns that property; any other concerns the whole object.
  if (issue.code === 'unrecognized_keys' && !issue.message.startsWith("'")) {
    const names = (issue.keys ?? []).slice(0, 3).map(quote).join(', ');
    return problem(
      'validation-error',
      `${place === '' ? '' : `${place}: `}${names}: there is no such ${what}.`,
    );
  }
  const rule = repeated.includes(String(issue.path[0])) ? 'must be given once' : ruleOf(issue);
  const sentence = rule.endsWith('.') ? rule : `${rule}.`;
  if (place !== '') return problem('validation-error', `${place}: ${sentence}`);
  return problem('validation-error', sentence.startsWith('must ') ? `The body ${sentence}` : sentence);
}

/** A name of a place: ours as it is; one that the caller has made up, in quotes and of bounded length. */
function shown(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : quote(name);
}

/** How the library words a rule that a schema did not word itself. */
const LIBRARY_WORDS = /^(Invalid|Too (small|big)|Unrecognized)\b/;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function ruleOf(issue: Issue): string {
  const { code, message, origin = '' } = issue;
  if (!LIBRARY_WORDS.test(message)) return message;
  if (code === 'invalid_type') {
    if (message.endsWith('received undefined')) return 'must be given';
    return `must be ${TYPES[issue.expected ?? ''] ?? 'something else'}`;
  }
  if (code === 'invalid_value') return `must be ${oneOf(issue.values ?? [])}`;
  if (code === 'too_small') return `must ${sized(origin, 'at least', Number(issue.minimum))}`;
  if (code === 'too_big') return `must ${sized(origin, 'at most', Number(issue.maximum))}`;
  if (code === 'invalid_key') return issue.issues?.[0]?.message ?? 'is not a name that can be used here';
  return 'does not have the right form';
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map(String).join(', ');
  return values.length === 1 ? names : `one of ${names}`;
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

function sized(origin: string, bound: string, count: number): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `be ${bound} ${count}`;
  return `have ${bound} ${count} ${count === 1 ? unit[0] : unit[1]}`;
}
