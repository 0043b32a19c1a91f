/** Signs, verifies, hashes. In the virtual world these promises settle without a turn of the loop. */
export interface Crypto {
  /** An access token: a JWT (compact serialisation, RFC 7519) of the type `at+jwt` (RFC 9068 section 2.1). */
  signToken(claims: TokenClaims): Promise<string>;
  /** An id token: a JWT of the type `JWT`, signed with the same key. It authorizes nothing. */
  signIdToken(claims: IdTokenClaims): Promise<string>;
  /**
   * The claims of an access token whose signature, algorithm, type, issuer, audience (equal to the issuer,
   * which protects its own API) and times are valid at `nowMs`; otherwise the reason. Never rejects.
   */
  verifyToken(token: string, expected: { issuer: string; nowMs: number }): Promise<TokenVerification>;
  /** The public keys as a JWK set (RFC 7517). */
  publicKeys(): { keys: readonly Record<string, unknown>[] };
  /** A salted, slow hash of a secret (scrypt in the real world), in a form that carries its parameters. */
  hashSecret(secret: string): Promise<string>;
  /**
   * Whether `secret` is the one that was hashed, compared in constant time. `false` for a hash of unknown
   * form.
   */
  verifySecret(secret: string, hash: string): Promise<boolean>;
  /** SHA-256 of the text in hex, for ETags, PKCE and fingerprints. */
  digest(text: string): string;
  /** Encrypts the text. Only a `Crypto` with the same private key can decrypt it, with the same `key`. */
  encrypt(key: string, text: string): string;
  /**
   * The text that was encrypted with that key; undefined if it was not, or was changed since. Accepts any
   * text.
   */
  decrypt(key: string, encrypted: string): string | undefined;
  /** HMAC-SHA-256 (RFC 2104) of the text under that key, in hex. */
  mac(key: string, text: string): string;
  /**
   * A secret for one purpose, from a root secret: HKDF-SHA-256 (RFC 5869) without salt, with the purpose as its info;
   * 32 bytes in hex. A derived secret reveals neither the root nor the secret of another purpose.
   */
  deriveSecret(root: string, purpose: string): string;
  /** Whether `mac` is that of the text under that key, compared in constant time. Accepts any text. */
  verifyMac(key: string, text: string, mac: string): boolean;
}

export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  /** Seconds since 1970 (RFC 7519). */
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly client_id: string;
  readonly fleet_id: string;
  /** The audience: the issuer itself. */
  readonly aud: string;
  /** The grant of a person from which the token comes; absent in a client's own token. */
  readonly grant_id?: string;
  /** Scopes, separated by spaces (RFC 8693 section 4.2). */
  readonly scope: string;
}

/** The claims of an id token about a sign-in (OpenID Connect Core 1.0 section 2). Never accepted as `TokenClaims`. */
export interface IdTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly auth_time: number;
  readonly nonce?: string;
}

export type TokenVerification =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly reason: TokenRejection };

/**
 * `wrong-type`: a JWT, but not an access token; `issued-ahead`: its `iat` is further in the future than
 * `limits.tokenAheadMs`.
 */
export type TokenRejection =
  | 'expired'
  | 'unreadable'
  | 'wrong-signature'
  | 'wrong-type'
  | 'wrong-issuer'
  | 'wrong-audience'
  | 'issued-ahead';
