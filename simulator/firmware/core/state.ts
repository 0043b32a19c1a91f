import type { ResetReason } from '../../../protocol/message.ts';
import type { SettingName } from '../../../protocol/settings.ts';
import type { MobileNetwork } from '../../vehicle/sensing/vehicle-ports.ts';
import type { TokenMemory } from '../bluetooth/bluetooth-pages.ts';
import type {
  AnsweredRequest,
  CommandIntent,
  PendingTask,
  Rollback,
  SetupProgress,
  UnattendedVehicle,
} from '../commands/command-state.ts';
import type { DamageCalibration, Detection } from '../detect/detection-state.ts';
import type { Journal, Outbox } from '../journal/journal-state.ts';
import type { ReceiptTiming } from '../journal/receipt-timing.ts';
import type { BoxClock } from '../power/rtc.ts';
import type { Health, Sampler } from '../sampling/sampling-state.ts';
import type { GoingOffline, Hang, Modem, SessionState } from '../session/session-state.ts';
import type { FirmwareUpdate, InstalledProgram, UpdateTransfer } from '../update/update-state.ts';
import type { BoxFacts, BoxFault, PowerSource, SimState } from './box-hardware.ts';

/**
 * The complete state of a box: its hardware, the content of its flash, and that of its RAM. Plain data, never
 * changed in place. A reboot reads the flash part back from its pages and resets the RAM part.
 */
export interface BoxState {
  readonly facts: BoxFacts;
  readonly flash: FlashPart;
  readonly ram: RamPart;
}

export interface FlashPart {
  readonly counters: BoxCounters;
  /** `next` as the counters page in flash says it. */
  readonly keptNext: number;
  readonly journal: Journal;
  readonly clock: BoxClock | undefined;
  readonly configuration: BoxConfiguration;
  /** The activation of damage detection that was calibrated last; 0: none. */
  readonly calibrated: number;
  /** The window of answered requests, the oldest first. */
  readonly answered: readonly AnsweredRequest[];
  /** A command that was begun; written before anything moves. */
  readonly intent: CommandIntent | undefined;
  /** Its data about Bluetooth tokens. */
  readonly bluetooth: TokenMemory;
  /** The program that replaces the factory's; it runs from the next boot on. */
  readonly firmware: InstalledProgram | undefined;
  /** The last update over the air, under way or over. */
  readonly update: FirmwareUpdate | undefined;
}

export interface BoxCounters {
  /** 16 bits, wraps. */
  readonly boot: number;
  /** 32 bits. */
  readonly connection: number;
  readonly workshop: boolean;
  /** The mobile network that was chosen (MCC and MNC); 0: the strongest. */
  readonly network: number;
  /** The highest expiry of a request that the window has forgotten: no request up to it is ever carried out. */
  readonly answeredFloorMs: number;
}

export interface BoxConfiguration {
  /** 0: as it left the factory. */
  readonly revision: number;
  readonly values: Readonly<Record<SettingName, number>>;
}

/**
 * `off`: waits to be booted by the host. `dead`: the supply is too low for the processor. `installing`: writes a program
 * into its other bank. `asleep`: powered down until the supply is good again.
 */
export const POWER_STATES = ['off', 'booting', 'up', 'dead', 'installing', 'asleep'] as const;

export interface RamPart {
  readonly power: (typeof POWER_STATES)[number];
  /** Where the power comes from; undefined: it has not looked since boot. */
  readonly powerSource: PowerSource | undefined;
  /** The reset reason of a dead box at its next boot. */
  readonly pendingResetReason: ResetReason;
  /** Since when the supply is low. */
  readonly lowSince: number | undefined;
  /** When to check the power again, or when an installation is done. */
  readonly powerLookAt: number | undefined;
  /** While an update is downloaded. */
  readonly transfer: UpdateTransfer | undefined;
  readonly resetReason: ResetReason;
  /** Of the program that runs. */
  readonly firmware: readonly [major: number, minor: number];
  readonly chance: number;
  /** The box's knowledge of its clock; the flash part holds it a little coarser. */
  readonly clock: BoxClock | undefined;
  readonly bootedAt: number;
  /** CPU time since boot, and when it was last updated. */
  readonly awakeMs: number;
  readonly cpuTimeUpdatedAt: number;
  readonly modem: Modem;
  readonly sim: SimState;
  readonly bluetoothBackAt: number | undefined;
  /** The phone's request under way. */
  readonly phoneCall: number | undefined;
  readonly session: SessionState;
  readonly outbox: Outbox;
  readonly timing: ReceiptTiming;
  readonly sampler: Sampler;
  readonly health: Health;
  readonly networks: readonly MobileNetwork[];
  readonly csq: number;
  readonly pendingTask: PendingTask | undefined;
  readonly goingOffline: GoingOffline | undefined;
  /** While parts are moved back because another one did not move. */
  readonly rollback: Rollback | undefined;
  readonly hang: Hang | undefined;
  /** A fault inside the box. It survives a reset. */
  readonly fault: BoxFault | undefined;
  /** While damage detection is calibrated. */
  readonly calibration: DamageCalibration | undefined;
  /** The state of the detection features. */
  readonly detection: Detection;
  /** While the vehicle is parked, locked and with its ignition off. */
  readonly unattended: UnattendedVehicle | undefined;
  /** While a setup is under way. */
  readonly setup: SetupProgress | undefined;
  readonly counts: RamCounts;
}

export interface RamCounts {
  /** Frames from the link that could not be read, or were not for this box. */
  readonly strayFrames: number;
  /** Records dropped for lack of room. */
  readonly refusedRecords: number;
}
