/** The bounds of access. */
export const accessLimits = {
  /** Equal to `expires_in` (docs/api.md, Limits). */
  tokenLifeS: 3_600,
  /** How long a client's record is cached: a deleted client's tokens are invalid after it. */
  clientMemoryMs: 5_000,
  rememberedClients: 1_000,
  /** Access tokens that were found right, about 1 kB each. */
  rememberedTokens: 5_000,
  /** Slow hashes that run at once: more would starve everything else of CPU time. */
  secretChecks: 2,
  /** Slow hashes that wait; beyond it a token request is asked to retry later. */
  waitingSecretChecks: 64,
  /** How long a secret that was right needs no slow hash again. */
  provenSecretMs: 60_000,
  provenSecrets: 1_000,
  /** Characters of a client's id and of its secret. */
  clientIdCharacters: 64,
  secretCharacters: 256,
  mintedSecretBytes: 32,
  /** A client's redirect URIs, and the characters of one. */
  redirectUris: 20,
  redirectUriCharacters: 500,

  /** RFC 6749 section 4.1.2 recommends no more than ten minutes; a redirect takes a moment. */
  codeLifeMs: 60_000,
  /** From its issue: a client that is in use renews it by rotation. */
  refreshLifeMs: 14 * 24 * 3_600_000,
  idTokenLifeS: 3_600,
  /** How long a repeated code or refresh token gets the same answer again, in case the first was lost. */
  answerAgainMs: 10_000,
  /** How long a sign-in lasts. */
  sessionLifeMs: 8 * 3_600_000,
  /** How long a grant is cached: tokens of a revoked grant are invalid after it. */
  grantMemoryMs: 5_000,
  rememberedGrants: 1_000,
  /** Characters of what a client sends and gets back. */
  stateCharacters: 1_024,
  nonceCharacters: 256,

  userNameCharacters: 64,
  passwordCharacters: 256,
  /** Characters of a caller's name that an error shows. */
  shownCharacters: 64,
  /** The shortest password. */
  leastPasswordCharacters: 10,
  /** Failed sign-ins from one address in a window, over all names. */
  signInWindowMs: 5 * 60_000,
  signInsOfAddress: 50,
  /**
   * How guessing at passwords is slowed down: ten wrong ones of an address at a name cost it about a minute.
   */
  passwordGuesses: {
    free: 5,
    firstDelayMs: 1_000,
    lastDelayMs: 5 * 60_000,
    forgetMs: 60 * 60_000,
    ofName: 100,
    ofNameMs: 36_000,
    keys: 10_000,
  },
  /**
   * The same for clients' secrets, which are longer; a program with an old secret retries again and again.
   */
  secretGuesses: {
    free: 10,
    firstDelayMs: 1_000,
    lastDelayMs: 60_000,
    forgetMs: 60 * 60_000,
    ofName: 600,
    ofNameMs: 6_000,
    keys: 10_000,
  },
  /** Token requests in a minute: of one client from one address, and of one address. */
  tokenWindowMs: 60_000,
  tokensOfClient: 300,
  tokensOfAddress: 1_200,
  /** Names, addresses and clients that are counted at once, each separately; the oldest is dropped first. */
  countedKeys: 10_000,
} as const;
