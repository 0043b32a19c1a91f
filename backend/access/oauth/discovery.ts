import { OPENID, SCOPES } from '../permissions.ts';
import { AUTHORIZE_PATH, KEYS_PATH, REVOKE_PATH, TOKEN_PATH } from './paths.ts';
import { GRANT_TYPES } from './token-request.ts';

/** Capabilities and endpoints of the server (OpenID Connect Discovery 1.0, RFC 8414, RFC 9207). */
export function discovery(
  issuer: string,
  signingAlgorithms: readonly string[],
): Record<string, string | boolean | string[]> {
  const authentication = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer,
    authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
    token_endpoint: `${issuer}${TOKEN_PATH}`,
    revocation_endpoint: `${issuer}${REVOKE_PATH}`,
    jwks_uri: `${issuer}${KEYS_PATH}`,
    grant_types_supported: [...GRANT_TYPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_methods_supported: authentication,
    // `openid` equals OPENID: OpenID Connect clients send it by default.
    scopes_supported: [...SCOPES, OPENID, 'openid'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...signingAlgorithms],
    claims_supported: ['iss', 'sub', 'aud', 'iat', 'exp', 'auth_time', 'nonce'],
    prompt_values_supported: ['none', 'login', 'consent'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}
