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

/**
 * What a value has to be, as the end of a sentence about it: `must be a number`. A rule that its schema words itself keeps
 * those words, which may be a whole sentence.
 */
export function brokenRule(issue: Issue): string {
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
