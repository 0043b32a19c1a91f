import type { Generated } from 'kysely';

/**
 * The tables of the store, for the types of statements. Both databases have these columns; the migrations describe each
 * column. Times are milliseconds since 1970 (`..._ms`), booleans 0 and 1, lists and objects JSON as text.
 */
export interface Tables {
  readonly fleets: Fleets;
  readonly clients: Clients;
  readonly boxes: Boxes;
  readonly records: Records;
  readonly quarantine: Quarantine;
  readonly commands: Commands;
  readonly vehicles: Vehicles;
  readonly configurations: Configurations;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly grants: Grants;
  readonly grant_secrets: GrantSecrets;
  readonly third_party: ThirdParty;
  readonly maker_vehicles: MakerVehicles;
  readonly bulk_jobs: BulkJobs;
  readonly bulk_items: BulkItems;
  readonly subscriptions: Subscriptions;
  readonly subscription_queues: SubscriptionQueues;
  readonly outbox_dropped: OutboxDropped;
  readonly outbox_drops: OutboxDrops;
  readonly outbox: Outbox;
  readonly write_probe: WriteProbe;
  readonly backends: Backends;
  readonly partition_leases: PartitionLeases;
  readonly quotas: Quotas;
  readonly installation: InstallationTable;
}

interface Fleets {
  id: string;
  name: string;
}

interface Clients {
  id: string;
  fleet_id: string;
  secret_hash: string;
  permissions: string;
  created_ms: number;
  redirect_uris: Generated<string>;
}

export interface Boxes {
  id: string;
  version: number;
  secret_hash: string;
  generation: number;
  firmware_major: number | null;
  firmware_minor: number | null;
  hardware_revision: number | null;
  connection_counter: number | null;
  connection_open: number | null;
  not_ready_until_ms: number | null;
  last_contact_ms: number | null;
  journal: string;
  state: string;
  records_stored: Generated<number>;
  records_lost: Generated<number>;
  fleet_id: Generated<string>;
  sim_provider: string | null;
  sim_iccid: string | null;
  life: string | null;
  life_since_ms: number | null;
  standby_report_s: number | null;
  sim_suspended_ms: number | null;
}

interface Records {
  box_id: string;
  epoch: number;
  sequence: number;
  kind: string;
  clock_ms: number;
  received_ms: number;
  message_id: string | null;
  lost: number;
  covers_first: number | null;
  covers_last: number | null;
}

interface Quarantine {
  id: Generated<number>;
  box_id: string;
  received_ms: number;
  fault: string;
  byte_offset: number;
  detail: string;
  bytes: Uint8Array;
}

interface Commands {
  request_id: string;
  vehicle_id: string;
  box_id: string;
  flow_id: string;
  command: string;
  opened_ms: number;
  expires_ms: number;
  settled_ms: number | null;
  outcome: string;
  error: string;
  status: string | null;
  state: string | null;
  configuration: string | null;
}

export interface Vehicles {
  id: string;
  fleet_id: string;
  box_id: string | null;
  maker: string | null;
  maker_vehicle_id: string | null;
  maker_state: Generated<string>;
  maker_contact_ms: number | null;
  shared_with: string | null;
  model: string;
  setup_status: string;
  setup_detail: Generated<string>;
  master_data: string;
  custom_fields: Generated<string>;
  tags: string;
  operation_status: Generated<string>;
  operation_status_ms: number;
  rental_status: Generated<string>;
  rental_status_ms: number;
  revision: Generated<number>;
  search_text: string;
  created_ms: number;
  modified_ms: number;
  setup_attempts: Generated<number>;
  setup_due_ms: Generated<number>;
  maintenance: Generated<number>;
  maker_life_since_ms: number | null;
  maker_life: string | null;
}

interface Configurations {
  box_id: string;
  handed_out: number;
  revision: Generated<number>;
  features: Generated<string>;
  calibrated: Generated<number>;
  epoch: number | null;
  decided: Generated<number>;
}

interface Users {
  id: string;
  fleet_id: string;
  name: string;
  password_hash: string;
  permissions: string;
  created_ms: number;
}

interface Sessions {
  digest: string;
  user_id: string;
  signed_in_ms: number;
  expires_ms: number;
}

interface Grants {
  id: string;
  client_id: string;
  user_id: string;
  scope: string;
  redirect_uri: string;
  code_challenge: string;
  nonce: string | null;
  signed_in_ms: number;
  expires_ms: number;
}

interface GrantSecrets {
  digest: string;
  grant_id: string;
  ordinal: number;
  expires_ms: number;
  spent: Generated<number>;
  answer: string | null;
  answer_until_ms: number | null;
}

interface ThirdParty {
  vehicle_id: string;
  version: number;
  taken_ms: number | null;
  due_ms: number;
  failures: number;
}

interface MakerVehicles {
  maker: string;
  maker_vehicle_id: string;
  fleet_id: string;
}

interface BulkJobs {
  id: string;
  fleet_id: string;
  flow_id: string;
  features: string;
  created_ms: number;
  expires_ms: number;
  vehicles: Generated<number>;
}

interface BulkItems {
  job_id: string;
  position: number;
  vehicle_id: string;
  status: Generated<string>;
  reason: Generated<string>;
  detail: Generated<string>;
  attempts: Generated<number>;
  last_attempt_ms: number | null;
  step: Generated<number>;
  due_ms: number;
  is_leased: Generated<number>;
  is_overtaken: Generated<number>;
  is_hastened: Generated<number>;
  leased_by: Generated<string>;
}

interface Subscriptions {
  id: string;
  fleet_id: string;
  discriminator: string;
  username: string | null;
  secret_hash: string | null;
  state: string;
  due_ms: number;
  created_ms: number;
}

interface SubscriptionQueues {
  name: string;
  subscription_id: string;
  topic: string;
  ordinal: number;
}

interface OutboxDropped {
  position: number;
  message_id: string;
  vehicle_id: string;
  fleet_id: string;
  reason: string;
  created_ms: number;
  dropped_ms: number;
}

interface OutboxDrops {
  fleet_id: string;
  reason: string;
  messages: number;
  arrived: Generated<number>;
  last_ms: number;
}

interface Outbox {
  position: number;
  message_id: string;
  vehicle_id: string;
  fleet_id: string;
  name: string;
  version: string;
  flow_id: string;
  created_ms: number;
  body: string;
  partition: number;
}

interface WriteProbe {
  id: number;
  at_ms: number;
}

interface Backends {
  name: string;
  expires_ms: number;
}

interface PartitionLeases {
  partition: number;
  holder: Generated<string>;
  fence: Generated<number>;
  expires_ms: Generated<number>;
  is_settled: Generated<number>;
  is_subscribed: Generated<number>;
}

interface Quotas {
  client_id: string;
  ends_ms: number;
  granted: number;
  used: number;
}

interface InstallationTable {
  one: number;
  id: string;
  key_id: string;
  created_ms: number;
}
