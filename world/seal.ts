/** Signs, verifies, hashes. In the virtual world the same calls are settled without a turn of the loop. */
export interface Seal {
  /** An access token: a JWT (compact serialisation, RFC 7519) of the type `at+jwt` (RFC 9068 section 2.1). */
  signToken(claims: TokenClaims): Promise<string>;
  /** An id token: a JWT of the type `JWT`, under the same key. It opens nothing. */
  signIdToken(claims: IdTokenClaims): Promise<string>;
  /**
   * The claims of an access token whose signature, algorithm, type, issuer, audience (which is the issuer: it guards
   * its own interface) and times are right at `nowMs`; else the reason. Never rejects.
   */
  verifyToken(token: string, expected: { issuer: string; nowMs: number }): Promise<TokenVerdict>;
  /** The public keys as a JWK set (RFC 7517). */
  publicKeys(): { keys: readonly Record<string, unknown>[] };
  /** A salted, slow hash of a secret (scrypt in the real world), in a form that carries its parameters. */
  hashSecret(secret: string): Promise<string>;
  /** Whether `secret` is the one that was hashed, compared in constant time. A hash of unknown form is `false`. */
  verifySecret(secret: string, hash: string): Promise<boolean>;
  /** SHA-256 of the text in hex, for ETags, PKCE and fingerprints. */
  digest(text: string): string;
  /** The text, readable again with the same key at a seal with the same private key, and nowhere else. */
  encrypt(key: string, text: string): string;
  /** What was encrypted under that key; undefined where it was not, or was changed since. Any text may be asked about. */
  decrypt(key: string, encrypted: string): string | undefined;
  /** HMAC-SHA-256 (RFC 2104) of the text under that key, in hex. */
  mac(key: string, text: string): string;
  /** Whether `mac` is the one of the text under that key, compared in constant time. Any text may be asked about. */
  verifyMac(key: string, text: string, mac: string): boolean;
}

export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  /** Seconds since 1970, as RFC 7519 has them. */
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly client_id: string;
  readonly fleet_id: string;
  /** Whom the token is for: the issuer itself. */
  readonly aud: string;
  /** The grant of a person that the token comes from; absent in a token of a client's own. */
  readonly grant_id?: string;
  /** Scopes, separated by spaces (RFC 8693 section 4.2). */
  readonly scope: string;
}

/** What an id token tells a client about a sign-in (OpenID Connect Core 1.0 section 2). Never taken for a `TokenClaims`. */
export interface IdTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly auth_time: number;
  readonly nonce?: string;
}

export type TokenVerdict =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly reason: TokenFault };

/** `wrong-type`: a JWT, but no access token; `issued-ahead`: its `iat` is further ahead than clocks differ. */
export type TokenFault =
  | 'expired'
  | 'unreadable'
  | 'wrong-signature'
  | 'wrong-type'
  | 'wrong-issuer'
  | 'wrong-audience'
  | 'issued-ahead';
