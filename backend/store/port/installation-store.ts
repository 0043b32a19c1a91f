/** As whom all backends on one store appear together. */
export interface InstallationStore {
  /** What the first one has offered: its own offer, or that of another backend before it. */
  claim(offered: Installation): Promise<Installation>;
  /** From now on tokens are signed with that key. False: it is not `before` that it would replace. */
  setKey(keyId: string, before: string): Promise<boolean>;
}

export interface Installation {
  /** Never changes. */
  readonly id: string;
  /** The id of the key that signs tokens: its thumbprint (RFC 7638). Empty: the next backend says which. */
  readonly keyId: string;
  readonly createdMs: number;
}
