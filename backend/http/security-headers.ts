/**
 * Headers of every answer. The service answers with JSON and plain text, so a browser has nothing to run, to frame, to
 * guess a type for or to keep; a page that is more says so by a Content-Security-Policy of its own.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** In force unless the route says otherwise. */
export const CONTENT_SECURITY_STANDARD = "default-src 'none'; frame-ancestors 'none'";

/** In force unless the route says otherwise: what a token may see belongs in no cache. */
export const CACHE_CONTROL_STANDARD = 'no-store';

/**
 * The headers of a page with one style sheet in it and forms that go to the service. `styleDigest`: of the sheet, the
 * base64 of SHA-256. `leadsTo`: where else the answer to a form may redirect to; browsers check that as well.
 */
export function pageHeaders(
  styleDigest: string,
  leadsTo: string | undefined,
): Readonly<Record<string, string>> {
  const targets = leadsTo === undefined ? "'self'" : `'self' ${leadsTo}`;
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${styleDigest}'`,
      `form-action ${targets}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}
