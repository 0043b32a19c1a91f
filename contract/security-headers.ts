/**
 * Headers of every answer. The service answers with JSON and plain text, so a browser has nothing to run,
 * frame, sniff or cache; pages set their own Content-Security-Policy.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
