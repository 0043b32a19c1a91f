import type { OpenCommand } from '../../../backend/store/port/command-store.ts';
import type {
  BoxChange,
  IngestBatch,
  KnownVehicle,
  StoredRecord,
} from '../../../backend/store/port/ingest-store.ts';
import type { OutgoingMessage } from '../../../backend/store/port/outbox-store.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import type { CreatedVehicle, NewVehicle, VehicleStore } from '../../../backend/store/port/vehicle-store.ts';
import { partitionOf } from '../../../protocol/partitions.ts';

/** How an implementation of the store is made for the contract: each test gets an empty one. */
export interface StoreMaker {
  open(): Promise<Store>;
  /** Opens what `store` had committed anew, as after a crash of the process. */
  reopen(store: Store): Promise<Store>;
  /** The store of another backend on the same database. Closing it leaves `store` open. */
  beside(store: Store): Promise<Store>;
}

export const BOX_ID = '00000000000000a1';
export const OTHER_BOX_ID = '00000000000000b2';
/** When it all happens. */
export const START_MS = Date.UTC(2026, 0, 1, 8);

/** The position of a reply in the box's journal. */
export const REPLY_KEY = { epoch: 7, sequence: 1 };

/** A vehicle to be saved; every field can be replaced. */
export function newVehicle(change: Partial<NewVehicle> = {}): NewVehicle {
  return {
    id: 'VEH01',
    fleetId: 'FLEET1',
    boxId: BOX_ID,
    boxSecretHash: 'hash',
    generation: 2,
    model: 'petrol-compact',
    setupStatus: 'SUCCEEDED',
    masterData: { vin: 'WVWZZZ1JZXW000001', license_plate: 'B-AB 123', year_of_production: 2024 },
    tags: ['pool'],
    atMs: START_MS,
    ...change,
  };
}

/** Onboards to a maker's vehicle, after it was put into the fleet's stock. */
export async function linkMakerVehicle(
  vehicles: Pick<VehicleStore, 'saveMakerUnit' | 'create'>,
  vehicle: CreatedVehicle,
): Promise<Awaited<ReturnType<VehicleStore['create']>>> {
  const { telematics, fleetId } = vehicle;
  if ('maker' in telematics) await vehicles.saveMakerUnit({ link: telematics.maker, fleetId });
  return vehicles.create(vehicle);
}

/** A batch of nothing but what is given. */
export function ingestBatch(change: Partial<IngestBatch>): IngestBatch {
  return { boxes: [], records: [], replies: [], messages: [], quarantine: [], ...change };
}

/** A report of the box, epoch 7. */
export function storedRecord(sequence: number, change: Partial<StoredRecord> = {}): StoredRecord {
  return {
    boxId: BOX_ID,
    epoch: 7,
    sequence,
    kind: 'report',
    clockMs: START_MS,
    receivedMs: START_MS + 100,
    messageId: undefined,
    lost: 0,
    ...change,
  };
}

/** A message of the vehicle. */
export function outgoingMessage(messageId: string, change: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    messageId,
    vehicleId: 'VEH01',
    fleetId: 'FLEET1',
    partition: partitionOf(BOX_ID),
    name: 'VehicleStateReceived',
    version: '2.0.0',
    flowId: '6a0f5a8e-0000-4000-8000-000000000001',
    createdMs: START_MS,
    body: `{"n":"${messageId} – ü"}`,
    ...change,
  };
}

/** A command of the vehicle, open for 20 s. */
export function openCommand(requestId: string, change: Partial<OpenCommand> = {}): OpenCommand {
  return {
    requestId,
    vehicleId: 'VEH01',
    boxId: BOX_ID,
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    command: 'unlock-central-lock',
    openedMs: START_MS,
    expiresMs: START_MS + 20_000,
    ...change,
  };
}

/** The store of the current test, and frequent queries of it. */
export class TestStore {
  readonly #maker: StoreMaker;
  #store: Store | undefined;
  readonly #beside: Store[] = [];

  constructor(maker: StoreMaker) {
    this.#maker = maker;
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('there is no store outside a test');
    return this.#store;
  }

  /** An empty one, for the test to come. */
  async open(): Promise<void> {
    this.#store = await this.#maker.open();
  }

  async openAnother(): Promise<Store> {
    return this.#maker.open();
  }

  /** The store of another backend on the same database. */
  async beside(): Promise<Store> {
    const other = await this.#maker.beside(this.store);
    this.#beside.push(other);
    return other;
  }

  /** Of this test, and of all backends beside it. */
  async close(): Promise<void> {
    for (const other of this.#beside.splice(0)) await other.close();
    await this.store.close();
  }

  /** As after a crash of the process. */
  async crash(): Promise<void> {
    const before = this.store;
    this.#store = await this.#maker.reopen(before);
    await before.close();
  }

  async known(boxId = BOX_ID): Promise<KnownVehicle> {
    const found = (await this.store.ingest.load([boxId])).get(boxId);
    if (found === undefined) throw new Error(`box ${boxId} is not known`);
    return found;
  }

  /** A change of a box upon what is true now. */
  async change(fields: Partial<BoxChange> = {}): Promise<BoxChange> {
    const boxId = fields.boxId ?? BOX_ID;
    return { boxId, version: (await this.known(boxId)).version, ...fields };
  }
}
