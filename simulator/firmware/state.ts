import type { Generation, ResetReason } from '../../protocol/message.ts';
import type { SettingName } from '../../protocol/settings.ts';
import type { MobileNetwork } from '../vehicle/senses.ts';
import type { Health } from './health.ts';
import type { Journal } from './journal.ts';
import type { Modem } from './modem.ts';
import type { Outbox } from './outbox.ts';
import type { Clock, RtcFacts } from './rtc.ts';
import type { Sampler } from './sampler.ts';
import type { SessionState } from './session.ts';

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
  readonly firmware: readonly [major: number, minor: number];
  readonly hardwareRevision: number;
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
  /** The window of answered requests, the oldest first. */
  readonly answered: readonly Answered[];
  /** A command that was begun; written before anything moves. */
  readonly intent: Intent | undefined;
}

export interface Counters {
  /** 16 bits, wraps. */
  readonly boot: number;
  /** 32 bits. */
  readonly connection: number;
  readonly workshop: boolean;
  readonly bluetooth: boolean;
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
  readonly requestId: string;
  readonly expiresMs: number;
  readonly commandCode: number;
}

export interface RamPart {
  /** `off`: waits to be booted by the host. `dead`: the supply is too low for the processor. */
  readonly power: 'off' | 'booting' | 'up' | 'dead';
  readonly resetReason: ResetReason;
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
  readonly session: SessionState;
  readonly outbox: Outbox;
  readonly sampler: Sampler;
  readonly health: Health;
  readonly networks: readonly MobileNetwork[];
  readonly csq: number;
  readonly errand: Errand | undefined;
  readonly leaving: Leaving | undefined;
  readonly counts: RamCounts;
}

export type SimState = 'active' | 'suspended' | 'detached';

/** Something that takes the link down, and therefore waits until the reply that announces it is out. */
export interface Errand {
  readonly what: 'board-reset' | 'modem-reset' | 'data-connection-reset' | 'switch-mobile-network';
  readonly sequence: number;
  /** The publication that carries the reply, once it is on its way. */
  readonly token: number | undefined;
  readonly until: number;
}

/** On its way down on purpose: waits for its goodbyes to be acknowledged. */
export interface Leaving {
  readonly reason: ResetReason;
  readonly tokens: readonly number[];
  readonly until: number;
}

export interface RamCounts {
  /** Frames from the link that could not be read, or were not for this box. */
  readonly strayFrames: number;
  /** Records that found no room. */
  readonly refusedRecords: number;
}
