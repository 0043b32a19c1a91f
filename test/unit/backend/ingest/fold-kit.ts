import { fold, type Knowledge } from '../../../../backend/ingest/fold.ts';
import { readLetter } from '../../../../backend/ingest/letter.ts';
import type { Plan, Translate } from '../../../../backend/ingest/plan.ts';
import type { KnownVehicle } from '../../../../backend/store/ingest-store.ts';
import type { BoxVehicle } from '../../../../backend/store/vehicle-store.ts';
import { toldBy } from '../../../../backend/vehicles/records.ts';
import { encodeFrame } from '../../../../protocol/frame.ts';
import type { Frame, Message } from '../../../../protocol/message.ts';
import { topics } from '../../../../protocol/topics.ts';

export const T = 1_767_592_800_000;
export const BOX = '00000000000000a1';
export const EPOCH = 7;

export function vehicle(change: Partial<BoxVehicle> = {}, box: Partial<BoxVehicle['box']> = {}): BoxVehicle {
  return {
    id: 'VEH01',
    fleetId: 'FLEET1',
    boxId: BOX,
    maker: undefined,
    sim: undefined,
    sharedWith: undefined,
    customFields: {},
    maintenance: false,
    operationStatus: { value: 'OPERATING', modifiedMs: T },
    rentalStatus: { value: 'NOT_IN_RENTAL', modifiedMs: T },
    setupDetail: '',
    revision: 1,
    model: 'petrol-compact',
    setupStatus: 'SUCCEEDED',
    masterData: {},
    tags: [],
    createdMs: T - 86_400_000,
    modifiedMs: T,
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

/** A frame of the box; sequence 0 unless told. */
export function frame(message: Message, change: Partial<Omit<Frame, 'message'>> = {}): Frame {
  return { generation: 2, epoch: EPOCH, boot: 1, sequence: 0, clockMs: T, ...change, message };
}

export function report(sequence: number, csq = 20, change: Partial<Frame> = {}): Frame {
  const signals = { modem: { csq, network: 26201 } };
  return frame({ kind: 'report', cause: 'time', signals }, { sequence, ...change });
}

/** Frames, or raw bytes, one payload after the other; presence frames go to the presence topic. */
export interface Sent {
  readonly bytes: Uint8Array;
  readonly topic: string;
  readonly receivedMs: number;
  readonly retained: boolean;
}

export function sent(frames: readonly Frame[], change: Partial<Sent> = {}): Sent {
  const isPresence = frames.every(({ message }) => message.kind === 'birth' || message.kind === 'gone');
  const parts = frames.map((one) => encodeFrame(one));
  return {
    bytes: Buffer.concat(parts),
    topic: isPresence ? topics.presence(BOX) : topics.up(BOX),
    receivedMs: T + 500,
    retained: false,
    ...change,
  };
}

/** Tells of the modem only: enough to see that a report was translated, when, and by which model. */
export const translateModem: Translate = (model, signals, { timestampMs, key }) =>
  signals.modem === undefined
    ? {}
    : toldBy(key, {
        signal: { timestampMs, value: signals.modem.csq },
        model: { timestampMs, value: model },
      });

export function foldOf(
  payloads: readonly Sent[],
  knowledge: Partial<Omit<Knowledge, 'known'>> & { readonly vehicle?: BoxVehicle | undefined } = {},
): Plan {
  const { vehicle: one = vehicle(), ...rest } = knowledge;
  const known = new Map<string, KnownVehicle>([[one.boxId, { vehicle: one, version: 3 }]]);
  return fold(payloads.map(readLetter), {
    known,
    commands: new Map(),
    translate: translateModem,
    ...rest,
  });
}

/** The vehicle after a plan. */
export function vehicleAfter(plan: Plan, before: BoxVehicle): BoxVehicle {
  return plan.vehicles.get(before.boxId) ?? before;
}
