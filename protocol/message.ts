import type { BluetoothAction } from './bluetooth.ts';
import type { CommandName, ReplyOutcome } from './commands.ts';
import type { Measured, MeasuredEventName } from './measured.ts';
import type { Setting } from './settings.ts';
import type { Signals } from './signals.ts';

/** The version byte of the envelope: it decides how a payload is encoded. */
export type Generation = 1 | 2;

/** One frame: its source, time and message. Numbers are whole and unsigned unless stated otherwise. */
export interface Frame {
  readonly generation: Generation;
  /**
   * The journal's epoch, 32 bits; a new one begins only with wiped flash. Down: the epoch of the box it
   * answers.
   */
  readonly epoch: number;
  /** How often the box has booted, 16 bits. Down: 0. */
  readonly boot: number;
  /** Position in the journal from 1, 32 bits; 0 in frames that are not kept in it. */
  readonly sequence: number;
  /** The sender's clock, epoch milliseconds, 48 bits; 0: the sender does not know the time. */
  readonly clockMs: number;
  readonly message: Message;
}

export type Message = UpMessage | DownMessage;
export type UpMessage = RecordMessage | Hello | GoingDown | Ready | Birth | Gone;
/** Kept in the journal until a receipt, sequence from 1. */
export type RecordMessage = Report | Heartbeat | EventMessage | Reply | Access | Tombstone;
export type DownMessage = Receipt | CommandRequest | ConfigurationRequest | Unreadable | Resend;

export type ReportCause = 'time' | 'distance' | 'heading' | 'standby' | 'boot' | 'request' | 'rest';
/** A periodic report of the signals. */
export interface Report {
  readonly kind: 'report';
  readonly cause: ReportCause;
  readonly signals: Signals;
}

/** Contact without data. */
export interface Heartbeat {
  readonly kind: 'heartbeat';
}

export type EventName =
  | 'ignition-on'
  | 'ignition-off'
  | 'door-opened'
  | 'door-closed'
  | 'locked'
  | 'unlocked'
  | 'driving-enabled'
  | 'driving-disabled'
  | 'workshop-mode-on'
  | 'workshop-mode-off'
  | 'power-restored'
  | 'top-case-opened'
  | 'top-case-closed'
  | 'top-case-locked'
  | 'top-case-unlocked'
  | 'stand-extended'
  | 'stand-retracted'
  | 'compartment-closed'
  | 'compartment-opened'
  | 'plug-connected'
  | 'plug-disconnected'
  | 'charging-started'
  | 'charging-ended'
  /** Damage detection is calibrated, and active from now on. */
  | 'damage-calibrated'
  /** An update over the air is installed, or failed. */
  | 'firmware-updated'
  | 'firmware-update-failed'
  | MeasuredEventName;
/** Something that happened. Events are kept longer than periodic reports. */
export interface EventMessage {
  readonly kind: 'event';
  readonly event: EventName;
  readonly signals: Signals;
  /** Present for events of features that measure something. */
  readonly measured?: Measured;
}

/** The answer to a command or a configuration. */
export interface Reply {
  readonly kind: 'reply';
  /** The request's ULID. */
  readonly requestId: string;
  readonly outcome: ReplyOutcome;
  /**
   * The reason, if the outcome is `failed` or `conflicting-state`; otherwise empty. ASCII, up to 64
   * characters.
   */
  readonly error: string;
  /** For request-system-status. */
  readonly status?: SystemStatus;
  /** For vehicle commands: the signals afterwards. */
  readonly signals?: Signals;
}

/** A phone used a Bluetooth token, and parts were moved or the attempt failed. */
export interface Access {
  readonly kind: 'access';
  /** The token's ULID. */
  readonly tokenId: string;
  readonly action: BluetoothAction;
  /** `done` or `failed`. */
  readonly outcome: ReplyOutcome;
  /** The reason of a failure; otherwise empty. ASCII, up to 64 characters. */
  readonly error: string;
  /** The signals afterwards. */
  readonly signals: Signals;
}

/** The box discarded the records from first to last of the journal; with the number of each kind. */
export interface Tombstone {
  readonly kind: 'tombstone';
  readonly reason: 'overwritten' | 'unreadable';
  readonly first: number;
  readonly last: number;
  readonly reports: number;
  readonly events: number;
  readonly replies: number;
}

export type ResetReason =
  | 'GENERAL'
  | 'BACKUP'
  | 'WATCHDOG'
  | 'SOFTWARE'
  | 'USER'
  | 'UNKNOWN'
  | 'BROWN_OUT'
  | 'POWER_DOWN_MODE';

/** The first frame of a connection. The backend answers with a receipt, from which the box gets the time. */
export interface Hello {
  readonly kind: 'hello';
  /** The box's connection counter, kept in flash, 32 bits. */
  readonly connection: number;
  readonly firmware: readonly [major: number, minor: number];
  readonly hardwareRevision: number;
  readonly resetReason: ResetReason;
  /** The lowest sequence that the journal still holds; equal to nextSequence when it is empty. */
  readonly lowestHeld: number;
  readonly nextSequence: number;
  readonly configurationRevision: number;
}

/** The box disconnects on purpose. */
export interface GoingDown {
  readonly kind: 'going-down';
  /** The connection that it ends. */
  readonly connection: number;
  readonly reason: 'reset' | 'update' | 'sleep';
  /** How long it expects to be away, in seconds, 16 bits. */
  readonly expectedS: number;
}

/** The box has started and accepts commands. Sent after each hello. */
export interface Ready {
  readonly kind: 'ready';
}

/** Retained on the presence topic when a connection begins. */
export interface Birth {
  readonly kind: 'birth';
  readonly connection: number;
}

/** The will of a connection; also retained by the box when it disconnects on purpose. */
export interface Gone {
  readonly kind: 'gone';
  readonly connection: number;
}

/**
 * The durably stored records: all from 1 to contiguous, and the ranges beyond it (both ends included,
 * ascending, at most 32).
 */
export interface Receipt {
  readonly kind: 'receipt';
  readonly contiguous: number;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

export interface CommandRequest {
  readonly kind: 'command';
  /** ULID */
  readonly requestId: string;
  readonly command: CommandName;
  /** Backend time, epoch milliseconds: afterwards the box does nothing and answers `expired`. */
  readonly expiresMs: number;
}

export interface ConfigurationRequest {
  readonly kind: 'configuration';
  readonly requestId: string;
  /** The box applies only a revision above its current one. */
  readonly revision: number;
  readonly expiresMs: number;
  /** The whole configuration; a setting that is not named has its default. */
  readonly settings: readonly Setting[];
}

/** A record arrived with a valid header, but its payload cannot be read. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly sequences: readonly number[];
}

/**
 * The box immediately resends all records without a receipt. Sent by a backend that has taken over from another one,
 * which may have ended with frames that it had not stored.
 */
export interface Resend {
  readonly kind: 'resend';
}

/** The answer to request-system-status. Times in epoch milliseconds; 0: not since boot. */
export interface SystemStatus {
  readonly realTimeClockMs: number;
  readonly deviceUpSinceMs: number;
  readonly modemUpSinceMs: number;
  readonly dataConnectionUpSinceMs: number;
  readonly cpuTimeS: number;
  readonly resetReason: ResetReason;
  /** Signed, tenths of a degree Celsius. */
  readonly cpuTemperatureDeciC: number;
  readonly hardwareRevision: number;
  /** One byte per port group. */
  readonly pioPortLevels: readonly number[];
  readonly freeHeapBytes: number;
  readonly canBus0Active: boolean;
  readonly canBus0ErrorFlags: number;
  readonly canBus1Active: boolean;
  readonly canBus1ErrorFlags: number;
}
