import { httpLimits } from './limits.ts';

/** The entity tag of a revision: strong, since If-Match compares strongly (RFC 9110 section 13.1.1). */
export function entityTag(revision: number): string {
  return `"${revision}"`;
}

/** One tag of a list, its weakness and its text (RFC 9110 section 8.8.3), and the comma after it. */
const TAG = /^[ \t]*(W\/)?("[\x21\x23-\x7e\x80-\u00ff]*")[ \t]*(?:,|$)/;

export const IF_MATCH_RULE = 'If-Match: must be * or a list of entity tags.';

/** The content of an If-Match header: any version, one of these tags, or an invalid header. */
export type EtagCondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  | { readonly kind: 'tags'; readonly tags: readonly string[] }
  | { readonly kind: 'unreadable' };

/** Reads an If-Match header. Weak tags never match, so they are left out. Total. */
export function readIfMatch(header: string | undefined): EtagCondition {
  if (header === undefined) return { kind: 'none' };
  const text = header.trim();
  if (text === '*') return { kind: 'any' };
  if (text.length > httpLimits.ifMatchCharacters || text === '') return { kind: 'unreadable' };
  const tags: string[] = [];
  let rest = text;
  while (rest !== '') {
    const found = TAG.exec(rest);
    if (found === null) return { kind: 'unreadable' };
    if (found[1] === undefined && found[2] !== undefined) tags.push(found[2]);
    rest = rest.slice(found[0].length);
  }
  return { kind: 'tags', tags };
}

/** Whether the condition holds for the current version. */
export function matches(condition: EtagCondition, tag: string): boolean {
  return condition.kind === 'tags' ? condition.tags.includes(tag) : condition.kind !== 'unreadable';
}

/**
 * Whether an If-None-Match header names the current version. It compares weakly (RFC 9110 section 13.1.2): a
 * proxy that compresses makes tags weak. An invalid header names nothing. Total.
 */
export function hasEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined || header.length > httpLimits.ifMatchCharacters) return false;
  const named = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return named.includes(tag) || header.trim() === '*';
}
