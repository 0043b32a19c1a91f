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
} as const;
