import type { Generation, Receipt, Resend, Unreadable } from '../../protocol/message.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { FeatureEvent } from '../events/message-features.ts';
import type { OpenCommand } from '../store/port/command-store.ts';
import type { CalibrationReport, FlashWipe } from '../store/port/configuration-store.ts';
import type { BoxChange, Quarantined, SettledReply, StoredRecord } from '../store/port/ingest-store.ts';
import type { BoxVehicle, VehicleState } from '../store/port/stored-vehicle.ts';
import type { Properties, RecordKey } from '../vehicles/records.ts';
import type { Trouble } from './troubles.ts';

/**
 * Translates a report's raw signals for a vehicle of that model, with the maintenance properties if they are
 * booked. Total: a signal without a meaning yields nothing.
 */
export type Translate = (
  model: string,
  signals: Signals,
  report: { readonly timestampMs: number; readonly maintenance: boolean; readonly key: RecordKey },
) => VehicleState;

/** The result of a batch of messages: written in one commit, before the frames to the boxes are sent. */
export interface BatchResult {
  readonly boxes: readonly BoxChange[];
  /** The changed vehicles as they are after the commit, by box id. */
  readonly vehicles: ReadonlyMap<string, BoxVehicle>;
  readonly records: readonly RecordWithDraft[];
  readonly replies: readonly SettledReply[];
  readonly calibrations: readonly CalibrationReport[];
  readonly flashWipes: readonly FlashWipe[];
  readonly quarantine: readonly Quarantined[];
  readonly framesDown: readonly DownlinkFrame[];
  /** How often each thing happened, by names of this file's table. */
  readonly counts: ReadonlyMap<string, number>;
  readonly troubles: readonly Trouble[];
}

export interface RecordWithDraft {
  readonly record: Omit<StoredRecord, 'messageId'>;
  /** Absent if the record leads to no message. */
  readonly draft: MessageDraft | undefined;
}

/** A VehicleStateReceived message before it has its ids. */
export interface MessageDraft {
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly receivedMs: number;
  readonly properties: Properties;
  /** The command whose reply this was. */
  readonly command: Pick<OpenCommand, 'flowId'> | undefined;
  /** What a feature of the box detected; it gets its own message after this one. */
  readonly feature?: FeatureEvent;
  /** The Bluetooth token that was used near the vehicle; absent: none. */
  readonly tokenId?: string;
}

/** A frame for a box, without its sending time. */
export interface DownlinkFrame {
  readonly boxId: string;
  readonly generation: Generation;
  readonly epoch: number;
  readonly message: Receipt | Unreadable | Resend;
}
