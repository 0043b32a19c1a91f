/**
 * Headers of every answer. The service answers with JSON and plain text only, so a browser has nothing to run, to
 * frame, to guess a type for or to keep.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** In force unless the route says otherwise: what a token may see belongs in no cache. */
export const CACHE_CONTROL_STANDARD = 'no-store';
