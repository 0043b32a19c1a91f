/** Paths of the authorization server's endpoints, below the base address. */
export const AUTHORIZE_PATH = '/auth/oauth/authorize';
export const TOKEN_PATH = '/auth/oauth/token';
export const REVOKE_PATH = '/auth/oauth/revoke';
export const KEYS_PATH = '/auth/oauth/jwks';
export const DISCOVERY_PATH = '/.well-known/openid-configuration';
