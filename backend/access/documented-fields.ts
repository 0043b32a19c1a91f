/** What the parameters of the authorization server mean, by their names (RFC 6749, RFC 7636, RFC 7009, OpenID Connect). */
const FIELDS = {
  grant_type: 'What the token is asked for with: client_credentials, authorization_code or refresh_token.',
  scope: 'The scopes that are asked for, with blanks between; absent: all that the client may have.',
  code: 'The code that the redirect brought, good for one use within a minute.',
  redirect_uri: 'Where the browser is led back to: one that the client has registered, exactly.',
  code_verifier: 'The verifier of which code_challenge was made (RFC 7636).',
  refresh_token: 'The refresh token of the answer before, good for one use.',
  client_id: 'The id of the client, where it does not authenticate by Basic authentication.',
  client_secret: 'The secret of the client, where it does not authenticate by Basic authentication.',
  token: 'A token of the grant that is to end.',
  token_type_hint: 'What kind of token it is; it is found without, too.',
  response_type: 'What is asked for: code.',
  code_challenge: 'The challenge that was made of the verifier (RFC 7636).',
  code_challenge_method: 'How it was made: S256.',
  state: 'Comes back with the redirect, as it was.',
  nonce: 'Comes back in the id token, as it was.',
  prompt: 'none: without a page. login: sign in anew. consent: ask in any case.',
  form_token: 'Shows that the form is of this browser.',
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
