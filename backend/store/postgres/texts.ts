/**
 * PostgreSQL has no character NUL in its texts (PostgreSQL 17, 8.3). A text with one is written, and looked for, with the
 * replacement character in its place, so a caller who sends one is answered as for any text that nobody has.
 */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
