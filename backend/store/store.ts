import type { CommandName, OutcomeName } from '../../protocol/commands.ts';
import type { Generation, Reply, SystemStatus } from '../../protocol/message.ts';

/**
 * What the backend remembers. Every call is one whole transaction, given as data: no handle is held across an await,
 * so that a database over the network can stand here as well. Times are epoch milliseconds. A call rejects with
 * `StoreFailed` where the medium fails: then nothing of it was written.
 */
export interface Store {
  readonly access: AccessStore;
  readonly vehicles: VehicleStore;
  readonly ingest: IngestStore;
  readonly commands: CommandStore;
  readonly outbox: OutboxStore;
  close(): Promise<void>;
}

/** The medium failed (full, broken, locked). `cause` is what the driver said. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
}

/** The database was written by a newer program. Nothing in it was touched. */
export class StoreTooNew extends Error {
  override readonly name = 'StoreTooNew';
}

/** Another process has the database open. */
export class StoreInUse extends Error {
  override readonly name = 'StoreInUse';
}

/** The box of a vehicle that is to be saved belongs to another vehicle. */
export class BoxTaken extends Error {
  override readonly name = 'BoxTaken';
}

export interface AccessStore {
  saveFleet(fleet: { readonly id: string; readonly name: string }): Promise<void>;
  saveClient(client: Client): Promise<void>;
  findClient(clientId: string): Promise<Client | undefined>;
  deleteClient(clientId: string): Promise<void>;
}

export interface Client {
  readonly id: string;
  readonly fleetId: string;
  /** What `seal.hashSecret` made. */
  readonly secretHash: string;
  /** Permissions in kebab-case (gaps page, Authentication). */
  readonly permissions: readonly string[];
  readonly createdMs: number;
}

export type SetupStatus = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';

/** A vehicle and the box in it, as they were onboarded and as the box has told since. */
export interface Vehicle {
  readonly id: string;
  readonly fleetId: string;
  readonly boxId: string;
  /** Name of a row of protocol/models. */
  readonly model: string;
  readonly setupStatus: SetupStatus;
  readonly masterData: Readonly<Record<string, string | number | null>>;
  readonly tags: readonly string[];
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly box: BoxRecord;
  readonly state: VehicleState;
}

/** What the backend knows of a box. `undefined`: it has never told. */
export interface BoxRecord {
  readonly generation: Generation;
  readonly firmware: readonly [major: number, minor: number] | undefined;
  readonly hardwareRevision: number | undefined;
  /** The highest connection counter seen, and whether that connection stands; undefined: not known. */
  readonly connection: { readonly counter: number; readonly open: boolean } | undefined;
  /** Set by going-down and by a hello until ready; the time until which the box counts as not ready. */
  readonly notReadyUntilMs: number | undefined;
  readonly lastContactMs: number | undefined;
  readonly journal: JournalPosition;
}

export interface JournalPosition {
  /** Of the journal that the box writes now; 0: it has never told. Epochs are names: their numbers have no order. */
  readonly epoch: number;
  /** Epochs that ended with a wiped flash, the newest first; only so many are kept. */
  readonly past?: readonly number[];
  /** All of 1 to this sequence are stored (or given up by the box). */
  readonly contiguous: number;
  /** Stored beyond it: rising, not touching, both ends included. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /** What the box's last hello said of its journal, until all that it held then is stored. */
  readonly claim?: JournalClaim;
}

/** The box holds nothing below `lowestHeld`, and had written nothing from `nextSequence` on. */
export interface JournalClaim {
  readonly lowestHeld: number;
  readonly nextSequence: number;
}

/** By property name of the vehicle state, with the record that said it (twin rule). */
export type VehicleState = Readonly<Record<string, StateProperty>>;
export interface StateProperty {
  readonly timestampMs: number;
  readonly value: unknown;
  readonly epoch: number;
  readonly sequence: number;
}

export interface VehicleStore {
  /**
   * Onboards, or replaces what was onboarded under that vehicle id. The box's own knowledge stays, and so does the
   * vehicle's state unless the box is another one. Rejects with `BoxTaken`.
   */
  save(vehicle: NewVehicle): Promise<void>;
  find(vehicleId: string): Promise<Vehicle | undefined>;
  /** By id, rising; `afterId` from a page token. `search` matches id, VIN, plate, name and box id. */
  list(query: {
    readonly fleetId: string;
    readonly afterId: string | undefined;
    readonly limit: number;
    readonly search: string | undefined;
    readonly tag: string | undefined;
  }): Promise<readonly Vehicle[]>;
}

export interface NewVehicle {
  readonly id: string;
  readonly fleetId: string;
  readonly boxId: string;
  readonly boxSecretHash: string;
  readonly generation: Generation;
  readonly model: string;
  readonly setupStatus: SetupStatus;
  readonly masterData: Readonly<Record<string, string | number | null>>;
  readonly tags: readonly string[];
  readonly atMs: number;
}

export interface IngestStore {
  /** What is known of these boxes, for the pure steps before the commit. Unknown boxes are missing from the answer. */
  load(boxIds: readonly string[]): Promise<ReadonlyMap<string, KnownVehicle>>;
  /** The commands that these requests were, by request id; requests that nobody made are missing. */
  loadCommands(requestIds: readonly string[]): Promise<ReadonlyMap<string, OpenCommand>>;
  /** State, journal positions, command outcomes, quarantine and outgoing messages of everything, all or none. */
  commit(batch: IngestBatch): Promise<IngestResult>;
  /**
   * The broker has no sessions any more: connections that were open are not known any more, and what was awaited on
   * them (`notReadyUntilMs`) is not either. Those that had ended, and goings-down, stay.
   */
  forgetConnections(): Promise<void>;
  /** The newest first. */
  quarantined(query: { readonly limit: number }): Promise<readonly Quarantined[]>;
  /** How many records were ever stored of a box, and how many its tombstones gave up. Outlives the pruning of rows. */
  countRecords(boxId: string): Promise<{ readonly records: number; readonly lost: number }>;
  /** The kept records of a box by epoch and sequence, rising; the oldest are pruned. */
  records(query: {
    readonly boxId: string;
    readonly after: { readonly epoch: number; readonly sequence: number } | undefined;
    readonly limit: number;
  }): Promise<readonly StoredRecord[]>;
}

/** A vehicle as it was read, and the count of changes to it by then: a commit is told which one it builds upon. */
export interface KnownVehicle {
  readonly vehicle: Vehicle;
  readonly version: number;
}

export interface IngestBatch {
  readonly boxes: readonly BoxChange[];
  readonly records: readonly StoredRecord[];
  readonly replies: readonly SettledReply[];
  /** In the order in which they are to go out. */
  readonly messages: readonly OutgoingMessage[];
  readonly quarantine: readonly Quarantined[];
}

/** A box's answer to a request, and what its signals were translated to. */
export interface SettledReply {
  readonly reply: Reply;
  readonly boxId: string;
  readonly atMs: number;
  readonly state?: Command['state'];
}

/** The columns of a box that this batch changes; absent ones stay. One change of a box in a batch. */
export interface BoxChange {
  readonly boxId: string;
  /** As loaded. Where the store has another by now, nothing of the batch is written, and the box is named as stale. */
  readonly version: number;
  readonly generation?: Generation;
  readonly firmware?: readonly [number, number];
  readonly hardwareRevision?: number;
  /** null: not known (any more). */
  readonly connection?: { readonly counter: number; readonly open: boolean } | null;
  /** null: the box is ready. */
  readonly notReadyUntilMs?: number | null;
  readonly lastContactMs?: number;
  readonly journal?: JournalPosition;
  /** The whole merged state. */
  readonly state?: VehicleState;
}

/** A journal record that was told apart from its duplicates. Kept for the ledger. */
export interface StoredRecord {
  readonly boxId: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: 'report' | 'heartbeat' | 'event' | 'reply' | 'tombstone';
  readonly clockMs: number;
  readonly receivedMs: number;
  /** The message that it led to, where it led to one. */
  readonly messageId: string | undefined;
  /** For a tombstone: how many records the box gave up. */
  readonly lost: number;
}

export interface Quarantined {
  readonly boxId: string;
  readonly receivedMs: number;
  readonly fault: string;
  readonly offset: number;
  readonly detail: string;
  readonly bytes: Uint8Array;
}

export interface IngestResult {
  /** Boxes that had changed since they were loaded. Not empty: nothing was written; load again, decide again. */
  readonly stale: readonly string[];
  /** Requests whose outcome this commit settled, for the desk. */
  readonly settled: readonly string[];
}

export interface CommandStore {
  /**
   * Writes an open command down. `conflict`: another one of that vehicle is open and not yet past its expiry
   * (one that is past it becomes `unknown` first).
   */
  open(command: OpenCommand): Promise<'opened' | 'conflict'>;
  find(requestId: string): Promise<Command | undefined>;
  /** The box stayed silent until the expiry: what became of it is not known. A command that is settled stays so. */
  giveUp(requestId: string, atMs: number): Promise<void>;
  /** The broker never took it: nothing can have happened. */
  withdraw(requestId: string, atMs: number): Promise<void>;
}

export interface OpenCommand {
  readonly requestId: string;
  readonly vehicleId: string;
  readonly boxId: string;
  readonly flowId: string;
  readonly command: CommandName;
  readonly openedMs: number;
  readonly expiresMs: number;
}

export interface Command extends OpenCommand {
  readonly settledMs: number | undefined;
  /** `unknown`: given up; a reply that comes later still replaces it. */
  readonly outcome: 'open' | 'unknown' | 'withdrawn' | OutcomeName;
  readonly error: string;
  readonly status: SystemStatus | undefined;
  /** What the reply's signals were translated to: property name → value and time. */
  readonly state:
    | Readonly<Record<string, { readonly timestampMs: number; readonly value: unknown }>>
    | undefined;
}

export interface OutboxStore {
  /**
   * Unsent messages in the order of their commits, from behind `afterPosition` on (0: from the start). A message
   * becomes visible only after all of lower positions have.
   */
  next(query: { readonly afterPosition: number; readonly limit: number }): Promise<readonly OutboxRow[]>;
  /** Confirmed by the broker: off the outbox. Positions that are off it already are passed over. */
  sent(positions: readonly number[]): Promise<void>;
  size(): Promise<{ readonly messages: number; readonly oldestMs: number | undefined }>;
}

export interface OutboxRow extends OutgoingMessage {
  /** Rises with each commit; never used twice. */
  readonly position: number;
}

export interface OutgoingMessage {
  readonly messageId: string;
  readonly vehicleId: string;
  readonly fleetId: string;
  /** `VehicleStateReceived` */
  readonly name: string;
  readonly version: string;
  readonly flowId: string;
  readonly createdMs: number;
  /** The JSON that goes out, so that a repeat is the same to the byte. */
  readonly body: string;
}
