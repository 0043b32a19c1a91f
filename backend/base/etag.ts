import { LIMITS } from '../../contract/limits.ts';
import type { Crypto } from '../../world/crypto/crypto.ts';

/** The tag by which If-Match may name a revision: strong, since it compares strongly (RFC 9110 section 13.1.1). */
export function entityTag(revision: number): string {
  return `"${revision}"`;
}

/**
 * The strong tag of a representation (RFC 9110 section 8.8.1): it changes with everything in `body`, the JSON of
 * the answer. Its part before the point is the revision, so that If-Match can compare that alone.
 */
export function representationTag(
  revision: number,
  body: string,
  { digest }: Pick<Crypto, 'digest'>,
): string {
  return `"${revision}.${digest(body).slice(0, DIGEST_CHARACTERS)}"`;
}

const DIGEST_CHARACTERS = 16;

/** The revision in a tag of either form. */
const REVISION = new RegExp(`^"([0-9]+)(?:\\.[0-9a-f]{${DIGEST_CHARACTERS}})?"$`);

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
  if (text.length > LIMITS.request.ifMatchCharacters || text === '') return { kind: 'unreadable' };
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

/** Whether the condition holds for the current revision, whatever else of the representation has changed. */
export function matches(condition: EtagCondition, revision: number): boolean {
  return condition.kind === 'tags'
    ? condition.tags.some((tag) => REVISION.exec(tag)?.[1] === String(revision))
    : condition.kind !== 'unreadable';
}

/**
 * Whether an If-None-Match header names the current version. It compares weakly (RFC 9110 section 13.1.2): a
 * proxy that compresses makes tags weak. An invalid header names nothing. Total.
 */
export function hasEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined || header.length > LIMITS.request.ifMatchCharacters) return false;
  const named = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return named.includes(tag) || header.trim() === '*';
}
