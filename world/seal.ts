/** Signs, verifies, hashes. In the virtual world the same calls are settled without a turn of the loop. */
export interface Seal {
  /** A JWT (compact serialisation, RFC 7519) over `claims`, signed with this seal's private key. */
  signToken(claims: TokenClaims): Promise<string>;
  /**
   * The claims of a token whose signature, algorithm, issuer and times are right at `nowMs`; else the reason.
   * Never rejects.
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
  /** Scopes, separated by spaces (RFC 8693 section 4.2). */
  readonly scope: string;
}

export type TokenVerdict =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly reason: 'expired' | 'unreadable' | 'wrong-signature' | 'wrong-issuer' };
