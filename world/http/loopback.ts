/**
 * Whether a host, as an option or as the Host of a request names it, is this machine alone: `localhost`, or an address
 * of 127.0.0.0/8 (RFC 1122 section 3.2.1.3) or ::1 (RFC 4291 section 2.5.3). A name that a web page's owner controls is
 * never accepted as an address.
 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
