import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether two secrets are equal, in a time that depends neither on where they differ nor on their lengths.
 */
export function areSecretsEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}
