import type { Generation, Receipt, Unreadable } from '../../protocol/message.ts';
import type { Signals } from '../../protocol/signals.ts';
import type {
  BoxChange,
  OpenCommand,
  Quarantined,
  SettledReply,
  StoredRecord,
  Vehicle,
} from '../store/store.ts';
import type { Properties } from '../vehicles/records.ts';

/** What a report's raw signals mean for a vehicle of that model. Total: a signal without a meaning yields nothing. */
export type Translate = (model: string, signals: Signals, timestampMs: number) => Properties;

/** What a batch of letters leads to: all of it is done in one commit, and only then the frames go down. */
export interface Plan {
  readonly boxes: readonly BoxChange[];
  /** The vehicles as they are once the plan is committed, by box id; those that the plan changes. */
  readonly vehicles: ReadonlyMap<string, Vehicle>;
  readonly records: readonly PlannedRecord[];
  readonly replies: readonly SettledReply[];
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
  'too-many-gaps': 'records were left to be sent again: too many gaps are open before them',
} as const;

export type TroubleKind = keyof typeof TROUBLES;
