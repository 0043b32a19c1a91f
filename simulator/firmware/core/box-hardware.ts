import type { Generation } from '../../../protocol/message.ts';
import type { SettingName } from '../../../protocol/settings.ts';
import type { RtcFacts } from '../power/rtc.ts';

/** The hardware, its firmware and its wiring. */
export interface BoxFacts extends RtcFacts {
  readonly boxId: string;
  readonly generation: Generation;
  /** The factory's version; a version installed since is in flash. */
  readonly firmware: readonly [major: number, minor: number];
  readonly hardwareRevision: number;
  /** Its installation in the vehicle. */
  readonly installation: 'OBD' | 'HARDWIRED';
  /** Names of the vehicle commands that the wiring allows. */
  readonly vehicleCommands: readonly string[];
  readonly journalRecords: number;
  /** In force until the first configuration comes. */
  readonly factorySettings: Readonly<Partial<Record<SettingName, number>>>;
}

/** `detached`: the network has detached the box, and accepts it again after a while. */
export const SIM_STATES = ['active', 'suspended', 'detached'] as const;
export type SimState = (typeof SIM_STATES)[number];

/** The reply of a box with an internal fault to each command. */
export interface BoxFault {
  readonly text: string;
  /** The first command that fails because of it ends it. */
  readonly isPassing: boolean;
  /** A command was answered with it; this ends a passing one. */
  readonly hadEffect?: true;
}

/**
 * Where the box takes its power from. Its supply can be in one of four states:
 *
 *     mV   0 ──────── 3,000 ──────── 6,000 ───── 9,000 ─── 10,500 ──────
 *          gone            sinking          (nothing new)  low   good
 *
 * - gone: the backup battery takes over. The moment that takes resets the processor: BACKUP. When that battery is
 *   nearly empty the box powers down, and is back with the supply: POWER_DOWN_MODE. After a loss of all power it
 *   starts as for the first time: GENERAL.
 * - sinking, as by a starter on a weak battery: the switch stays on the supply, which does not feed the processor any
 *   more. Dead until the supply is well above it: BROWN_OUT. While the box was starting its reset register is not
 *   written yet, and holds anything: UNKNOWN.
 * - low for long with the ignition off: the box powers down, so that the vehicle can still be started.
 */
export const POWER_SOURCES = ['supply', 'backup'] as const;
export type PowerSource = (typeof POWER_SOURCES)[number];
