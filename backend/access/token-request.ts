import type { Body } from '../http/body.ts';
import { bodyJson, bodyText } from '../http/body.ts';

/** An error of RFC 6749 section 5.2, as a value. */
export interface TokenError {
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_grant'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'invalid_scope';
  readonly description: string;
}

/** What a token request says, before anything of it was checked against a client. */
export interface TokenRequest {
  readonly grantType: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined: all that the client may have. */
  readonly scopes: readonly string[] | undefined;
}

export type ReadTokenRequest =
  | { readonly ok: true; readonly request: TokenRequest }
  | { readonly ok: false; readonly error: TokenError };

const FORM = 'application/x-www-form-urlencoded';

/** The grants that the endpoint knows. */
export const GRANT_TYPES = ['client_credentials'] as const;

/**
 * Reads grant type and scope from query or form body, and the client's credentials from the Authorization header or
 * the form body. Parameters that it does not know are ignored, as RFC 6749 section 3.2 demands.
 */
export function readTokenRequest(
  query: URLSearchParams,
  body: Body,
  authorization: string | undefined,
): ReadTokenRequest {
  const form = formOf(body);
  if (typeof form === 'string') return wrong('invalid_request', form);
  for (const name of ['grant_type', 'scope', 'client_id', 'client_secret']) {
    const values = new Set([...query.getAll(name), ...form.getAll(name)]);
    if (query.getAll(name).length > 1 || form.getAll(name).length > 1 || values.size > 1)
      return wrong('invalid_request', `${name} is given more than once.`);
  }
  if (query.has('client_secret'))
    return wrong('invalid_request', 'client_secret belongs in the Authorization header or the form body.');
  const grantType = form.get('grant_type') ?? query.get('grant_type') ?? '';
  if (grantType === '') return wrong('invalid_request', 'grant_type is missing.');
  if (!GRANT_TYPES.some((known) => known === grantType))
    return wrong('unsupported_grant_type', `grant_type must be one of: ${GRANT_TYPES.join(', ')}.`);
  const credentials = credentialsOf(form, authorization);
  if ('error' in credentials) return { ok: false, error: credentials };
  const scope = form.get('scope') ?? query.get('scope');
  const scopes = scope?.split(' ').filter((name) => name !== '');
  return {
    ok: true,
    request: { grantType, ...credentials, scopes: scopes?.length === 0 ? undefined : scopes },
  };
}

function wrong(error: TokenError['error'], description: string): { ok: false; error: TokenError } {
  return { ok: false, error: { error, description } };
}

/** The form's parameters; a sentence where the body is none. An empty body, or an empty JSON object, has none. */
function formOf(body: Body): URLSearchParams | string {
  if (body.bytes.byteLength === 0) return new URLSearchParams();
  if (body.mediaType === FORM) {
    const text = bodyText(body.bytes);
    return text.ok ? new URLSearchParams(text.value) : text.rule;
  }
  const json = bodyJson(body.bytes);
  const isEmpty = json.ok && typeof json.value === 'object' && json.value !== null && !hasEntries(json.value);
  return isEmpty ? new URLSearchParams() : `Parameters belong in the query or in a ${FORM} body.`;
}

function hasEntries(value: object): boolean {
  return Array.isArray(value) || Object.keys(value).length > 0;
}

/** RFC 6749 section 2.3.1: one way of authentication, not two. */
function credentialsOf(
  form: URLSearchParams,
  authorization: string | undefined,
): { readonly clientId: string; readonly clientSecret: string } | TokenError {
  const formId = form.get('client_id');
  const formSecret = form.get('client_secret');
  if (authorization === undefined) {
    if (formId === null || formSecret === null)
      return { error: 'invalid_client', description: 'The client credentials are missing.' };
    return { clientId: formId, clientSecret: formSecret };
  }
  const basic = readBasic(authorization);
  if (basic === undefined)
    return { error: 'invalid_client', description: 'The Authorization header is no Basic authentication.' };
  if (formSecret !== null || (formId !== null && formId !== basic.clientId))
    return { error: 'invalid_request', description: 'The client authenticates in more than one way.' };
  return basic;
}

/** RFC 7617 with the form encoding of RFC 6749 section 2.3.1; undefined where the header is not of that form. */
export function readBasic(
  header: string,
): { readonly clientId: string; readonly clientSecret: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const text = bodyText(Buffer.from(encoded, 'base64'));
  const colon = text.ok ? text.value.indexOf(':') : -1;
  if (!text.ok || colon < 1) return undefined;
  try {
    return {
      clientId: formDecoded(text.value.slice(0, colon)),
      clientSecret: formDecoded(text.value.slice(colon + 1)),
    };
  } catch {
    return undefined;
  }
}

/** Throws a URIError for a `%` without its two digits. */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
