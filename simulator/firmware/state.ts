import type { Generation, ResetReason } from '../../protocol/message.ts';
import type { SettingName } from '../../protocol/settings.ts';
import type { MobileNetwork } from '../vehicle/senses.ts';
import type { Undoing } from './actuation.ts';
import type { TokenMemory } from './ble-pages.ts';
import type { Calibration } from './calibration.ts';
import type { Detection } from './detect.ts';
import type { Hang } from './hang.ts';
import type { Health } from './health.ts';
import type { Left } from './immobilizer.ts';
import type { Journal } from './journal.ts';
import type { Leaving } from './leaving.ts';
import type { Modem } from './modem.ts';
import type { Outbox } from './outbox.ts';
import type { Source } from './power.ts';
import type { Clock, RtcFacts } from './rtc.ts';
import type { Sampler } from './sampler.ts';
import type { SessionState } from './session.ts';
import type { Acquaintance } from './setup.ts';
import type { Program, Transfer, Update } from './update-state.ts';

/**
 * All that a box is: what was built into it, what its flash holds, and what its RAM holds. Plain data, never changed
 * in place. A reboot reads the flash part back from its pages and begins the RAM part anew.
 */
export interface BoxState {
  readonly facts: BoxFacts;
  readonly flash: FlashPart;
  readonly ram: RamPart;
}

/** The hardware, its firmware and its wiring. */
export interface BoxFacts extends RtcFacts {
  readonly boxId: string;
  readonly generation: Generation;
  /** As it left the factory; what has been put in since is in flash. */
  readonly firmware: readonly [major: number, minor: number];
  readonly hardwareRevision: number;
  /** How it is built into its vehicle. */
  readonly installation: 'OBD' | 'HARDWIRED';
  /** Names of the vehicle commands that the wiring allows. */
  readonly vehicleCommands: readonly string[];
  readonly journalRecords: number;
  /** In force until the first configuration comes. */
  readonly factorySettings: Readonly<Partial<Record<SettingName, number>>>;
}

export interface FlashPart {
  readonly counters: Counters;
  /** `next` as the counters page in flash says it. */
  readonly keptNext: number;
  readonly journal: Journal;
  readonly clock: Clock | undefined;
  readonly configuration: Configuration;
  /** The activation of damage detection that was calibrated last; 0: none. */
  readonly calibrated: number;
  /** The window of answered requests, the oldest first. */
  readonly answered: readonly Answered[];
  /** A command that was begun; written before anything moves. */
  readonly intent: Intent | undefined;
  /** What it knows of Bluetooth tokens. */
  readonly bluetooth: TokenMemory;
  /** The program in place of the factory's; it runs from the next boot on. */
  readonly firmware: Program | undefined;
  /** The last update over the air, under way or over. */
  readonly update: Update | undefined;
}

export interface Counters {
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

export interface Configuration {
  /** 0: as it left the factory. */
  readonly revision: number;
  readonly values: Readonly<Record<SettingName, number>>;
}

export interface Answered {
  readonly requestId: string;
  readonly expiresMs: number;
  readonly sequence: number;
  /** The reply's frame. */
  readonly bytes: Uint8Array;
}

export interface Intent {
  /** Of an access by Bluetooth: the token's ULID. */
  readonly requestId: string;
  readonly expiresMs: number;
  readonly commandCode: number;
  /** How each part stood that the command moves; absent: it moves none. */
  readonly before?: readonly boolean[];
  /** A phone beside the vehicle asked for it. */
  readonly isAccess?: true;
}

export interface RamPart {
  /**
   * `off`: waits to be booted by the host. `dead`: the supply is too low for the processor. `installing`: writes a
   * program into its other bank. `asleep`: powered down until the supply is good again.
   */
  readonly power: 'off' | 'booting' | 'up' | 'dead' | 'installing' | 'asleep';
  /** Where the power comes from; undefined: it has not looked since boot. */
  readonly source: Source | undefined;
  /** What a box that is dead will be reset by. */
  readonly revivedBy: ResetReason;
  /** Since when the supply is low. */
  readonly lowSince: number | undefined;
  /** When the power is to be looked at again, or an installation is done. */
  readonly powerLookAt: number | undefined;
  /** While an update is downloaded. */
  readonly transfer: Transfer | undefined;
  readonly resetReason: ResetReason;
  /** Of the program that runs. */
  readonly firmware: readonly [major: number, minor: number];
  readonly chance: number;
  /** What the box knows of its clock; the flash part holds it a little coarser. */
  readonly clock: Clock | undefined;
  readonly bootedAt: number;
  /** CPU time since boot, and when it was last reckoned. */
  readonly awakeMs: number;
  readonly reckonedAt: number;
  readonly modem: Modem;
  readonly sim: SimState;
  readonly bleBackAt: number | undefined;
  /** The phone's question that is being worked on. */
  readonly caller: number | undefined;
  readonly session: SessionState;
  readonly outbox: Outbox;
  /** The last reply that took a request for expired: its receipt tells the time to a clock that may be ahead. */
  readonly doubted: Doubted | undefined;
  readonly sampler: Sampler;
  readonly health: Health;
  readonly networks: readonly MobileNetwork[];
  readonly csq: number;
  readonly errand: Errand | undefined;
  readonly leaving: Leaving | undefined;
  /** While parts are put back because another one did not move. */
  readonly undoing: Undoing | undefined;
  readonly hang: Hang | undefined;
  /** Something in the box is broken. It outlives a reset. */
  readonly fault: Fault | undefined;
  /** While damage detection is calibrated. */
  readonly calibration: Calibration | undefined;
  /** What the features that detect something have under way. */
  readonly detection: Detection;
  /** While the vehicle stands locked with its ignition off. */
  readonly left: Left | undefined;
  /** While the box gets acquainted with its vehicle. */
  readonly setup: Acquaintance | undefined;
  readonly counts: RamCounts;
}

/** `detached`: the network has sent the box away, and takes it back when it asks again after a while. */
export type SimState = 'active' | 'suspended' | 'detached';

/** Something that takes the link down, and therefore waits until the reply that announces it is out. */
export interface Errand {
  readonly what: 'board-reset' | 'modem-reset' | 'data-connection-reset' | 'switch-mobile-network';
  readonly sequence: number;
  /** The publication that carries the reply, once it is on its way. */
  readonly token: number | undefined;
  readonly until: number;
}

/** What a box with something broken in it says to each command. */
export interface Fault {
  readonly text: string;
  /** It is over with the first command that met it. */
  readonly isPassing: boolean;
}

export interface Doubted {
  readonly sequence: number;
  /** When the reply was made. */
  readonly at: number;
}

export interface RamCounts {
  /** Frames from the link that could not be read, or were not for this box. */
  readonly strayFrames: number;
  /** Records that found no room. */
  readonly refusedRecords: number;
}
