export interface AccessStore {
  saveFleet(fleet: { readonly id: string; readonly name: string }): Promise<void>;
  findFleet(fleetId: string): Promise<{ readonly id: string; readonly name: string } | undefined>;
  saveClient(client: Client): Promise<void>;
  findClient(clientId: string): Promise<Client | undefined>;
  deleteClient(clientId: string): Promise<void>;
}

export interface Client {
  readonly id: string;
  readonly fleetId: string;
  /**
   * The result of `crypto.hashSecret`; empty: a public client, which has no secret (RFC 6749 section 2.1).
   */
  readonly secretHash: string;
  /** Permissions in kebab-case (docs/api.md, What a token may do). */
  readonly permissions: readonly string[];
  /** The allowed targets of the authorization code flow; absent: the client has no such flow. */
  readonly redirectUris?: readonly string[];
  readonly createdMs: number;
}
