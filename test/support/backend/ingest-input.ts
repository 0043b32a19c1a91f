import type { BatchResult, Translate } from '../../../backend/ingest/batch-result.ts';
import { readInboundMessage } from '../../../backend/ingest/inbound-message.ts';
import { type ReductionInput, reduceBatch } from '../../../backend/ingest/reduce-batch.ts';
import type { KnownVehicle } from '../../../backend/store/port/ingest-store.ts';
import type { BoxVehicle } from '../../../backend/store/port/stored-vehicle.ts';
import { reportedProperties } from '../../../backend/vehicles/records.ts';
import { encodeFrame } from '../../../protocol/codec/frame.ts';
import type { Frame, Message } from '../../../protocol/message.ts';
import { topics } from '../../../protocol/topics.ts';

export const START_MS = 1_767_592_800_000;
export const BOX_ID = '00000000000000a1';
export const EPOCH = 7;

export function boxVehicle(
  change: Partial<BoxVehicle> = {},
  box: Partial<BoxVehicle['box']> = {},
): BoxVehicle {
  return {
    id: 'VEH01',
    fleetId: 'FLEET1',
    boxId: BOX_ID,
    maker: undefined,
    sim: undefined,
    sharedWith: undefined,
    customFields: {},
    maintenance: false,
    operationStatus: { value: 'OPERATING', modifiedMs: START_MS },
    rentalStatus: { value: 'NOT_IN_RENTAL', modifiedMs: START_MS },
    setupDetail: '',
    revision: 1,
    model: 'petrol-compact',
    setupStatus: 'SUCCEEDED',
    masterData: {},
    tags: [],
    createdMs: START_MS - 86_400_000,
    modifiedMs: START_MS,
    state: {},
    ...change,
    box: {
      generation: 2,
      firmware: undefined,
      hardwareRevision: undefined,
      connection: undefined,
      notReadyUntilMs: undefined,
      lastContactMs: undefined,
      journal: { epoch: EPOCH, contiguous: 0, ranges: [] },
      ...box,
    },
  };
}

/** A frame of the box; sequence 0 unless given. */
export function frame(message: Message, change: Partial<Omit<Frame, 'message'>> = {}): Frame {
  return { generation: 2, epoch: EPOCH, boot: 1, sequence: 0, clockMs: START_MS, ...change, message };
}

export function report(sequence: number, csq = 20, change: Partial<Frame> = {}): Frame {
  const signals = { modem: { csq, network: 26201 } };
  return frame({ kind: 'report', cause: 'time', signals }, { sequence, ...change });
}

/** Frames, or raw bytes, one payload after the other; presence frames go to the presence topic. */
export interface InboundPayload {
  readonly bytes: Uint8Array;
  readonly topic: string;
  readonly receivedMs: number;
  readonly retained: boolean;
}

export function payloadOf(frames: readonly Frame[], change: Partial<InboundPayload> = {}): InboundPayload {
  const isPresence = frames.every(({ message }) => message.kind === 'birth' || message.kind === 'gone');
  const parts = frames.map((one) => encodeFrame(one));
  return {
    bytes: Buffer.concat(parts),
    topic: isPresence ? topics.presence(BOX_ID) : topics.up(BOX_ID),
    receivedMs: START_MS + 500,
    retained: false,
    ...change,
  };
}

/** Translates the modem only: enough to see that a report was translated, when, and with which model. */
export const translateModem: Translate = (model, signals, { timestampMs, key }) =>
  signals.modem === undefined
    ? {}
    : reportedProperties(key, {
        signal: { timestampMs, value: signals.modem.csq },
        model: { timestampMs, value: model },
      });

export function reduceOf(
  payloads: readonly InboundPayload[],
  knowledge: Partial<Omit<ReductionInput, 'known'>> & { readonly vehicle?: BoxVehicle | undefined } = {},
): BatchResult {
  const { vehicle: one = boxVehicle(), ...rest } = knowledge;
  const known = new Map<string, KnownVehicle>([[one.boxId, { vehicle: one, version: 3 }]]);
  return reduceBatch(payloads.map(readInboundMessage), {
    known,
    commands: new Map(),
    translate: translateModem,
    ...rest,
  });
}

/** The vehicle after a batch. */
export function vehicleAfter(batchResult: BatchResult, before: BoxVehicle): BoxVehicle {
  return batchResult.vehicles.get(before.boxId) ?? before;
}
