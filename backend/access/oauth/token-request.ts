import { requestedScopes } from '../../../contract/permissions.ts';
import type { Body } from '../../base/body.ts';
import { bodyJson, bodyText } from '../../base/body.ts';

/** An error of RFC 6749 section 5.2, as a value. */
export interface TokenError {
  readonly error: (typeof TOKEN_ERRORS)[number];
  readonly description: string;
}

export const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

/** The parameters of a token request that the service uses, each at most once, before any check. */
export type TokenFields = Readonly<Partial<Record<TokenField, string>>>;

type TokenField = (typeof FIELDS)[number];

export type ReadTokenRequest =
  | { readonly ok: true; readonly fields: TokenFields }
  | { readonly ok: false; readonly error: TokenError };

export const FORM = 'application/x-www-form-urlencoded';

/** The grants that the endpoint supports. */
export const GRANT_TYPES = ['client_credentials', 'authorization_code', 'refresh_token'] as const;

/** What a query must not contain, since queries end up in logs. */
const SECRET_FIELDS = ['client_secret', 'code', 'code_verifier', 'refresh_token', 'token'] as const;
const FIELDS = [
  'grant_type',
  'scope',
  'client_id',
  'redirect_uri',
  'token_type_hint',
  ...SECRET_FIELDS,
] as const;

/**
 * Reads a request to the token endpoint: grant type and scope from query or form body, the rest from the form body,
 * the client's credentials from the Authorization header or the form body. Parameters that it does not know are
 * ignored, as RFC 6749 section 3.2 demands.
 */
export function readTokenRequest(
  query: URLSearchParams,
  body: Body,
  authorization: string | undefined,
): ReadTokenRequest {
  const read = readClientRequest(query, body, authorization);
  if (!read.ok) return read;
  const { grant_type: grantType = '', scope } = read.fields;
  if (grantType === '') return wrong('invalid_request', 'grant_type is missing.');
  if (!GRANT_TYPES.some((known) => known === grantType))
    return wrong('unsupported_grant_type', `grant_type must be one of: ${GRANT_TYPES.join(', ')}.`);
  const { scope: _scope, ...rest } = read.fields;
  const scopes = requestedScopes(scope);
  return scopes.length === 0
    ? { ok: true, fields: rest }
    : { ok: true, fields: { ...rest, scope: scopes.join(' ') } };
}

/** Reads what all requests of a client to the authorization server have: fields, each once, and its credentials. */
export function readClientRequest(
  query: URLSearchParams,
  body: Body,
  authorization: string | undefined,
): ReadTokenRequest {
  const form = formOf(body);
  if (typeof form === 'string') return wrong('invalid_request', form);
  const fields: Partial<Record<TokenField, string>> = {};
  for (const name of FIELDS) {
    // RFC 6749 section 3.2; query and body are one request.
    const [value, ...others] = [...query.getAll(name), ...form.getAll(name)];
    if (others.length > 0) return wrong('invalid_request', `${name} is given more than once.`);
    if (value !== undefined) fields[name] = value;
  }
  const secret = SECRET_FIELDS.find((name) => query.has(name));
  if (secret !== undefined)
    return wrong(
      'invalid_request',
      `${secret} belongs in the form body${secret === 'client_secret' ? ' or the Authorization header' : ''}.`,
    );
  const credentials = credentialsOf(form, authorization);
  return 'error' in credentials
    ? { ok: false, error: credentials }
    : { ok: true, fields: { ...fields, ...credentials } };
}

function wrong(error: TokenError['error'], description: string): { ok: false; error: TokenError } {
  return { ok: false, error: { error, description } };
}

/**
 * The form's parameters; an error sentence if the body is not a form. An empty body, or an empty JSON object, has none.
 */
export function formOf(body: Body): URLSearchParams | string {
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

/** RFC 6749 section 2.3.1: one way of authentication, not two. A public client gives its id alone. */
function credentialsOf(
  form: URLSearchParams,
  authorization: string | undefined,
): { readonly client_id: string; readonly client_secret?: string } | TokenError {
  const formId = form.get('client_id');
  // RFC 6749 section 2.3.1: an empty secret may as well be left out.
  const formSecret = form.get('client_secret') || null;
  if (authorization === undefined) {
    if (formId === null || formId === '')
      return { error: 'invalid_client', description: 'The client credentials are missing.' };
    return formSecret === null ? { client_id: formId } : { client_id: formId, client_secret: formSecret };
  }
  const basic = readBasic(authorization);
  if (basic === undefined)
    return {
      error: 'invalid_client',
      description: 'The Authorization header does not use Basic authentication.',
    };
  if (formSecret !== null || (formId !== null && formId !== basic.clientId))
    return { error: 'invalid_request', description: 'The client authenticates in more than one way.' };
  return { client_id: basic.clientId, client_secret: basic.clientSecret };
}

/** RFC 7617 with the form encoding of RFC 6749 section 2.3.1; undefined if the header does not have that form. */
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
