import type { BoxChange, IngestBatch, StoredRecord } from '../../../backend/store/port/ingest-store.ts';
import type { OutgoingMessage } from '../../../backend/store/port/outbox-store.ts';
import { writeState } from '../../../backend/store/port/state-text.ts';
import type { VehicleState } from '../../../backend/store/port/stored-vehicle.ts';
import { PARTITIONS, partitionOf } from '../../../protocol/partitions.ts';

/**
 * What two backends write: each has half of the partitions, and one batch at a time. Each box of a batch has a record, its
 * state of some 3 kB with the values of that record, and a message of some 3 kB.
 */
export const load = {
  writers: 2,
  boxesOfWriter: 2_000,
  boxesOfBatch: 50,
  batchesOfTurn: 20,
  turns: 10,
  properties: 80,
  toldProperties: 25,
} as const;

const START_MS = 1_767_254_400_000;
const EPOCH = 3_234_234_234;
/** The fencing number of partitions in a new database. */
const NEVER_TAKEN = 0;

/** A writer's boxes, and how often each was written. */
export class Writer {
  readonly #ids: readonly string[];
  readonly #versions = new Map<string, number>();
  #next = 0;

  constructor(index: number) {
    this.#ids = idsOf(index);
  }

  get boxIds(): readonly string[] {
    return this.#ids;
  }

  /** The next boxes in turn, with what they have told. */
  batch(): IngestBatch {
    const boxIds = Array.from({ length: load.boxesOfBatch }, () => this.#take());
    const told = boxIds.map((boxId) => {
      const version = (this.#versions.get(boxId) ?? 0) + 1;
      this.#versions.set(boxId, version);
      return tell(boxId, version);
    });
    return {
      boxes: told.map(({ box }) => box),
      records: told.map(({ record }) => record),
      messages: told.map(({ message }) => message),
      replies: [],
      quarantine: [],
      leases: [...new Set(boxIds.map(partitionOf))].map((partition) => ({ partition, fence: NEVER_TAKEN })),
    };
  }

  #take(): string {
    const id = this.#ids[this.#next] ?? '';
    this.#next = (this.#next + 1) % this.#ids.length;
    return id;
  }
}

function tell(
  boxId: string,
  sequence: number,
): { readonly box: BoxChange; readonly record: StoredRecord; readonly message: OutgoingMessage } {
  const atMs = START_MS + sequence * 1_000;
  const state = stateOf(sequence, atMs);
  const messageId = `${boxId}${sequence.toString().padStart(10, '0')}`;
  return {
    box: {
      boxId,
      version: sequence,
      lastContactMs: atMs,
      journal: { epoch: EPOCH, contiguous: sequence, ranges: [] },
      stateText: writeState(state),
    },
    record: {
      boxId,
      epoch: EPOCH,
      sequence,
      kind: 'report',
      clockMs: atMs,
      receivedMs: atMs,
      messageId,
      lost: 0,
    },
    message: {
      messageId,
      vehicleId: boxId.slice(-8),
      fleetId: 'BENCH',
      partition: partitionOf(boxId),
      name: 'VehicleStateReceived',
      version: '2.0.0',
      flowId: '00000000-0000-4000-8000-000000000000',
      createdMs: atMs,
      body: JSON.stringify({ data: Object.entries(state).slice(0, load.toldProperties) }),
    },
  };
}

/** Some 3 kB of values as those of a vehicle: numbers, words, places. */
function stateOf(sequence: number, timestampMs: number): VehicleState {
  return Object.fromEntries(
    Array.from({ length: load.properties }, (_, index) => {
      const value = valueAt(index, sequence);
      return [
        `property_of_the_vehicle_${index}`,
        { timestampMs, value, epoch: EPOCH, sequence, json: JSON.stringify(value) },
      ];
    }),
  );
}

function valueAt(index: number, sequence: number): unknown {
  const number = ((index + 1) * (sequence + 7) * 7_919) % 100_003;
  if (index % 8 === 0) return { lat: number / 2_000, lon: number / 1_000 };
  return index % 2 === 0 ? number / 100 : number % 2 === 0 ? 'LOCKED' : 'UNLOCKED';
}

/** The text of such a state, for what is there at the beginning. */
export function firstState(): string {
  return writeState(stateOf(0, START_MS));
}

/** Ids of boxes whose partitions are the writer's. */
function idsOf(writer: number): readonly string[] {
  const ids: string[] = [];
  for (let number = 0; ids.length < load.boxesOfWriter; number += 1) {
    const id = number.toString(16).padStart(16, '0');
    const holder = Math.floor((partitionOf(id) * load.writers) / PARTITIONS);
    if (holder === writer) ids.push(id);
  }
  return ids;
}
