/** In force unless the route sets another. */
export const CONTENT_SECURITY_STANDARD = "default-src 'none'; frame-ancestors 'none'";

/** In force unless the route sets another: answers to a token must not be cached. */
export const CACHE_CONTROL_STANDARD = 'no-store';

/**
 * The headers of a page with one inline style sheet and forms that go to the service. `styleDigest`: of the
 * sheet, SHA-256 in base64. `leadsTo`: another allowed redirect target of a form's answer, which browsers
 * check as well.
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
