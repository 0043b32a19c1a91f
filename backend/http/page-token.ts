import { httpLimits } from './limits.ts';

/** What stands in a token, so that another form can be told from it later. */
const FORM = '1:';

/**
 * A page token: where the last page ended. It names a place in the order of ids and no row, so that it stays valid
 * while rows come and go, the one it was made of included. Opaque to callers.
 */
export function pageToken(afterId: string): string {
  return Buffer.from(FORM + afterId, 'utf8').toString('base64url');
}

/** The id after which the page begins; undefined where the text is no token of this service. Total. */
export function readPageToken(token: string): string | undefined {
  if (token.length > httpLimits.pageTokenCharacters || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  const text = Buffer.from(token, 'base64url').toString('utf8');
  // Only the one spelling that was handed out counts.
  if (!text.startsWith(FORM) || pageToken(text.slice(FORM.length)) !== token) return undefined;
  return text.slice(FORM.length);
}
