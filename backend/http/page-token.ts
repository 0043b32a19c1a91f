import { httpLimits } from '../base/limits.ts';

/** The prefix of a token, so that another form can be recognised later. */
const FORM = '1:';

/**
 * A page token: the last id of the previous page. It names a place in the order of ids, not a row, so that it
 * stays valid while rows are added and removed. Opaque to callers.
 */
export function pageToken(afterId: string): string {
  return Buffer.from(FORM + afterId, 'utf8').toString('base64url');
}

/** The id after which the page begins; undefined if the text is no token of this service. Total. */
export function readPageToken(token: string): string | undefined {
  if (token.length > httpLimits.pageTokenCharacters || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  const text = Buffer.from(token, 'base64url').toString('utf8');
  // Only the canonical form counts.
  if (!text.startsWith(FORM) || pageToken(text.slice(FORM.length)) !== token) return undefined;
  return text.slice(FORM.length);
}
