/**
 * PostgreSQL has no character NUL in its texts (PostgreSQL 17, 8.3). A text with one is written, and searched for, with
 * the replacement character instead, so such a search has the answer of any unknown text.
 */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
