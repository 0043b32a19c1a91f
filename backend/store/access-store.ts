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
  /** What `seal.hashSecret` made; empty: a public client, which has no secret (RFC 6749 section 2.1). */
  readonly secretHash: string;
  /** Permissions in kebab-case (gaps page, Authentication). */
  readonly permissions: readonly string[];
  /** Where the authorization code flow may lead back to; absent: the client has no such flow. */
  readonly redirectUris?: readonly string[];
  readonly createdMs: number;
}
