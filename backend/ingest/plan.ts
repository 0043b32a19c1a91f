import type { Generation, Receipt, Unreadable } from '../../protocol/message.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { FeatureEvent } from '../events/message-features.ts';
import type { OpenCommand } from '../store/command-store.ts';
import type { Calibration, Wiped } from '../store/configuration-store.ts';
import type { BoxChange, Quarantined, SettledReply, StoredRecord } from '../store/ingest-store.ts';
import type { BoxVehicle, VehicleState } from '../store/vehicle-store.ts';
import type { Properties, RecordKey } from '../vehicles/records.ts';

/**
 * What a report's raw signals mean for a vehicle of that model, with the maintenance properties where they are booked.
 * Total: a signal without a meaning yields nothing.
 */
export type Translate = (
  model: string,
  signals: Signals,
  report: { readonly timestampMs: number; readonly maintenance: boolean; readonly key: RecordKey },
) => VehicleState;

/** What a batch of letters leads to: all of it is done in one commit, and only then the frames go down. */
export interface Plan {
  readonly boxes: readonly BoxChange[];
  /** The vehicles as they are once the plan is committed, by box id; those that the plan changes. */
  readonly vehicles: ReadonlyMap<string, BoxVehicle>;
  readonly records: readonly PlannedRecord[];
  readonly replies: readonly SettledReply[];
  readonly calibrations: readonly Calibration[];
  readonly wiped: readonly Wiped[];
  readonly quarantine: readonly Quarantined[];
  readonly down: readonly FrameDown[];
  /** What happened how often, by names of this file's table. */
  readonly counts: ReadonlyMap<string, number>;
  readonly troubles: readonly Trouble[];
}

export interface PlannedRecord {
  readonly record: Omit<StoredRecord, 'messageId'>;
  /** Absent where the record leads to no message. */
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
  /** What a feature of the box detected, which is told by a message of its own behind this one. */
  readonly feature?: FeatureEvent;
  /** The Bluetooth token that was used beside the vehicle; absent: none was. */
  readonly tokenId?: string;
}

/** A frame for a box, without the clock of its sending. */
export interface FrameDown {
  readonly boxId: string;
  readonly generation: Generation;
  readonly epoch: number;
  readonly message: Receipt | Unreadable;
}

/** What is not as it should be with a box. Logged once for each kind and box. */
export interface Trouble {
  readonly kind: TroubleKind;
  /** Empty where the topic names none. */
  readonly boxId: string;
  readonly detail: string;
}

export const TROUBLES = {
  'foreign-topic': "a payload came on a topic that is no box's and was put in quarantine",
  'unknown-box': 'a box that is not onboarded sends, and its payloads are put in quarantine',
  undecodable: 'bytes of a box could not be decoded and were put in quarantine',
  'old-epoch': 'a frame of a journal that the box has wiped since was put in quarantine',
  'new-epoch': 'a box begins a new journal: its flash was wiped',
  'wrong-direction': 'a box sends a frame that only the backend sends; it was put in quarantine',
  'wrong-channel': 'a frame came on the wrong topic of its box and was put in quarantine',
  'impossible-tombstone': 'a tombstone for records that are not behind it was put in quarantine',
  'unexplained-gap': 'records of a box are lost and no tombstone explains it',
  'sequence-regression': 'a box has forgotten sequences that it had sent: it will use them twice',
  'update-failed': 'a box could not put an update of its firmware in force, and goes on with what it had',
  'too-many-gaps': 'records were left to be sent again: too many gaps are open before them',
} as const;

export type TroubleKind = keyof typeof TROUBLES;
