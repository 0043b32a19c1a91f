/** What the parameters of the authorization server mean, by their names (RFC 6749, RFC 7636, RFC 7009, OpenID Connect). */
const FIELDS = {
  grant_type: 'The grant type: client_credentials, authorization_code or refresh_token.',
  scope: 'The requested scopes, separated by spaces; absent: all that the client may have.',
  code: 'The code from the redirect, valid for one use within a minute.',
  redirect_uri: 'Where the browser is redirected to: exactly as it is registered for the client.',
  code_verifier: 'The verifier from which code_challenge was derived (RFC 7636).',
  refresh_token: 'The refresh token of the previous answer, valid for one use.',
  client_id: 'The id of the client, if it does not use Basic authentication.',
  client_secret: 'The secret of the client, if it does not use Basic authentication.',
  token: 'A token of the grant to revoke.',
  token_type_hint: 'The kind of token. Optional: the token is found without it.',
  response_type: 'The requested response: code.',
  code_challenge: 'The challenge derived from the verifier (RFC 7636).',
  code_challenge_method: 'How the challenge was derived: S256.',
  state: 'Returned unchanged in the redirect.',
  nonce: 'Returned unchanged in the id token.',
  prompt: 'none: show no page. login: sign in again. consent: always ask for consent.',
  form_token: 'Proves that the form was issued to this browser.',
  deed: 'What the form is for: sign-in, sign-out or consent.',
  name: 'The name of the person who signs in.',
  password: 'The password of the person who signs in.',
  decision: 'allow or deny.',
} as const;

export type DocumentedField = keyof typeof FIELDS;

/** A text with what it means. */
export const textField = (name: DocumentedField) => ({ type: 'string' as const, description: FIELDS[name] });

/** A query parameter. */
export const queryField = (name: DocumentedField, required: boolean) => ({
  name,
  in: 'query' as const,
  required,
  description: FIELDS[name],
  schema: { type: 'string' as const },
});

/** A form with these fields. */
export const formFields = (description: string, names: readonly DocumentedField[]) => ({
  type: 'object' as const,
  description,
  properties: Object.fromEntries(names.map((name) => [name, textField(name)])),
});
