import type { BoxState, FlashPart, RamPart } from '../firmware/core/state.ts';
import { entryCount } from '../firmware/journal/entry-index.ts';
import { clockMs, counterMs, latestMs } from '../firmware/power/rtc.ts';
import type { BoxWatcher } from './fleet-box.ts';

/** A summary of a box that is cheap to compute: its firmware, the phase of its session and the size of its journal. */
export interface BoxStatus {
  /** The version that it runs. */
  readonly firmware: RamPart['firmware'];
  readonly session: 'off' | 'offline' | 'connecting' | 'connected' | 'ready';
  readonly heldRecords: number;
}

const SESSIONS = {
  down: 'offline',
  connecting: 'connecting',
  subscribing: 'connecting',
  greeting: 'connected',
  ready: 'ready',
} as const satisfies Record<BoxState['ram']['session']['phase'], BoxStatus['session']>;

export function boxStatusAt({ ram, flash }: BoxState): BoxStatus {
  return {
    firmware: ram.firmware,
    session: ram.power === 'up' ? SESSIONS[ram.session.phase] : 'off',
    heldRecords: entryCount(flash.journal.entryIndex),
  };
}

/** Whether it takes commands: it has power, and its session is ready. */
export function isBoxReady({ ram }: Pick<BoxState, 'ram'>): boolean {
  return ram.power === 'up' && ram.session.phase === 'ready';
}

/** The error of the box's clock in milliseconds; undefined: the box does not know the time. */
export function clockErrorMs({ ram, facts }: BoxState, atMs: number): number | undefined {
  if (ram.clock === undefined) return undefined;
  return clockMs(ram.clock, counterMs(facts, atMs)) - atMs;
}

/** How far the box's latest estimate of backend time is ahead; undefined: it does not know the time. */
export function latestAheadMs({ ram, facts }: BoxState, atMs: number): number | undefined {
  const latest = latestMs(ram.clock, counterMs(facts, atMs));
  return latest === undefined ? undefined : latest - atMs;
}

/**
 * Notifies the watcher that the outputs have moved for a command of the backend. A phone's request and a
 * rollback are not commands.
 */
export function notifyActed({ flash: { intent }, ram }: BoxState, watcher: BoxWatcher | undefined): void {
  if (intent === undefined || intent.isAccess === true || ram.rollback !== undefined) return;
  watcher?.acted(intent.requestId, intent.commandCode);
}

/** The memory of a box: its flash that must survive a reset, and its status. Unchanged parts are the same objects. */
export interface BoxMemoryPart {
  readonly power: RamPart['power'];
  readonly hangs: boolean;
  readonly boot: number;
  readonly epoch: number;
  readonly connection: number;
  readonly isWorkshop: boolean;
  readonly knowsTime: boolean;
  readonly isSettingUp: boolean;
  readonly configuration: FlashPart['configuration'];
  readonly calibrated: number;
  readonly tokens: FlashPart['bluetooth'];
  readonly update: NonNullable<FlashPart['update']>['phase'] | undefined;
  readonly updateOutcome: NonNullable<FlashPart['update']>['outcome'];
}

/** Cheap to compute: nothing is copied. */
export function boxMemoryOf({ flash, ram }: BoxState): BoxMemoryPart {
  const { counters, journal, configuration, calibrated, bluetooth, update } = flash;
  return {
    power: ram.power,
    hangs: ram.hang !== undefined,
    boot: counters.boot,
    epoch: journal.epoch,
    connection: counters.connection,
    isWorkshop: counters.workshop,
    knowsTime: ram.clock !== undefined,
    isSettingUp: ram.setup !== undefined,
    configuration,
    calibrated,
    tokens: bluetooth,
    update: update?.phase,
    updateOutcome: update?.outcome,
  };
}
