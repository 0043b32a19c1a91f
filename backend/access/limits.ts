/** The bounds of access. */
export const accessLimits = {
  /** service.md section 5 */
  tokenLifeS: 3_600,
  /** How long a client's record may be taken from memory: a deleted client's tokens are invalid after it. */
  clientMemoryMs: 5_000,
  rememberedClients: 1_000,
  /** Slow hashes under way at once: more of them would take the processor from everything else. */
  secretChecks: 2,
  /** Slow hashes that wait their turn; beyond it a token request is told to come again. */
  waitingSecretChecks: 64,
  /** How long a secret that was found right needs no slow hash again. */
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
  /** From its issue: a client that is used lives on, by rotation. */
  refreshLifeMs: 14 * 24 * 3_600_000,
  idTokenLifeS: 3_600,
  /** So long a code or refresh token that is sent again has the same answer: the first one was lost on its way. */
  answerAgainMs: 10_000,
  /** How long a sign-in lasts. */
  sessionLifeMs: 8 * 3_600_000,
  /** How long a grant may be taken from memory: tokens of a grant that was ended are invalid after it. */
  grantMemoryMs: 5_000,
  rememberedGrants: 1_000,
  /** Characters of what a client sends along and gets back. */
  stateCharacters: 1_024,
  nonceCharacters: 256,

  userNameCharacters: 64,
  passwordCharacters: 256,
  /** Characters of a name of the caller's that an error shows. */
  shownCharacters: 64,
  /** A password is at least so long. */
  leastPasswordCharacters: 10,
  /** Sign-ins that may fail in a window from one address, whatever the names. */
  signInWindowMs: 5 * 60_000,
  signInsOfAddress: 50,
  /** How guessing at passwords is slowed down: ten wrong ones of an address at a name cost it a minute. */
  passwordGuesses: {
    free: 5,
    firstDelayMs: 1_000,
    lastDelayMs: 5 * 60_000,
    forgetMs: 60 * 60_000,
    ofName: 100,
    ofNameMs: 36_000,
    keys: 10_000,
  },
  /** And at secrets of clients, which are longer, while a program with an old one asks again and again. */
  secretGuesses: {
    free: 10,
    firstDelayMs: 1_000,
    lastDelayMs: 60_000,
    forgetMs: 60 * 60_000,
    ofName: 600,
    ofNameMs: 6_000,
    keys: 10_000,
  },
  /** Token requests in a minute, of one client from one address, and from one address. */
  tokenWindowMs: 60_000,
  tokensOfClient: 300,
  tokensOfAddress: 1_200,
  /** Names, addresses and clients that are counted at once, each for itself; beyond it the oldest is forgotten. */
  countedKeys: 10_000,
} as const;
