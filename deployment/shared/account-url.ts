/**
 * A request to an address that may contain an account, as `http://user:password@host` does: fetch itself refuses such
 * addresses. The account is sent as HTTP Basic (RFC 7617).
 */
export function fetchWithAccount(address: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(address);
  if (url.username === '') return fetch(address, init);
  const account = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  const headers = new Headers(init.headers);
  headers.set('authorization', `Basic ${Buffer.from(account, 'utf8').toString('base64')}`);
  return fetch(url, { ...init, headers });
}
