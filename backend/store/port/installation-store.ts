/** The common identity of all backends on one store. */
export interface InstallationStore {
  /** Undefined: no backend has used the store yet. */
  find(): Promise<Installation | undefined>;
  /** The first offer: this one, or an earlier one of another backend. */
  claim(offered: Installation): Promise<Installation>;
  /** From now on tokens are signed with that key. False: the stored key is not `before`. */
  setKey(keyId: string, before: string): Promise<boolean>;
}

export interface Installation {
  /** Never changes. */
  readonly id: string;
  /** The id of the key that signs tokens: its thumbprint (RFC 7638). Empty: the next backend sets it. */
  readonly keyId: string;
  readonly createdMs: number;
}
