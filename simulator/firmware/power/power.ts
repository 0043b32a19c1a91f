import type { ResetReason } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import type { StepContext } from '../core/step-context.ts';
import { reportCrash } from '../detect/crash.ts';
import { dropConnection } from '../session/session.ts';

/** The processor stops; the host boots it again after `downMs`. The RAM is lost then. */
export function resetBox(context: StepContext, reason: ResetReason, downMs: number): void {
  reportCrash(context);
  context.ram.power = 'off';
  context.ram.goingOffline = undefined;
  context.ram.pendingTask = undefined;
  context.effects.push({ kind: 'reset', reason, downMs });
}

/** A reset from outside: button, watchdog. The link ends without an announcement. */
export function forceReset(context: StepContext, reason: ResetReason): void {
  if (context.ram.power === 'off') return;
  dropConnection(context);
  resetBox(context, reason, limits.resetDownMs);
}

/** The supply fails and is back immediately: the step under way has no effect. */
export function cutPower(context: StepContext): void {
  dropConnection(context);
  context.ram.power = 'off';
  context.effects.push({ kind: 'reset', reason: 'GENERAL', downMs: limits.resetDownMs });
}

/** Checks the supply. True: the processor is running and the step may continue. */
export function checkPower(context: StepContext, sensors: SensorInputs): boolean {
  const { ram } = context;
  const { supplyMillivolts } = sensors;
  if (ram.power === 'dead') return isRevived(context, sensors);
  if (supplyMillivolts >= limits.brownOutMillivolts) {
    ram.powerSource = 'supply';
    return true;
  }
  if (supplyMillivolts >= limits.goneMillivolts)
    return stopProcessor(context, isStarting(context) ? 'UNKNOWN' : 'BROWN_OUT');
  if (isBackupEmpty(sensors, 0)) return stopProcessor(context, 'GENERAL');
  if (ram.powerSource === 'supply') {
    dropConnection(context);
    resetBox(context, 'BACKUP', limits.bootMs);
    return false;
  }
  ram.powerSource = 'backup';
  return true;
}

function isStarting({ ram }: StepContext): boolean {
  return ram.power === 'booting';
}

function stopProcessor(context: StepContext, reason: ResetReason): false {
  dropConnection(context);
  reportCrash(context);
  context.ram.power = 'dead';
  context.ram.powerSource = undefined;
  context.ram.pendingResetReason = reason;
  return false;
}

/** Dead: power is good again, or it has dropped so far that the backup battery takes over. */
function isRevived(context: StepContext, sensors: SensorInputs): false {
  const { supplyMillivolts } = sensors;
  if (supplyMillivolts >= limits.restoreMillivolts)
    resetBox(context, context.ram.pendingResetReason, limits.bootMs);
  else if (supplyMillivolts < limits.goneMillivolts && !isBackupEmpty(sensors, limits.backupReservePercent))
    resetBox(context, 'BACKUP', limits.bootMs);
  return false;
}

/** Whether the backup battery holds at most this charge. */
function isBackupEmpty({ backupPercent }: SensorInputs, percent: number): boolean {
  return backupPercent <= percent;
}

/**
 * Whether a running box should power down: on a backup battery that is nearly empty, or because the supply has been
 * low for long. Stores when to check again.
 */
export function shouldSleep(context: StepContext, sensors: SensorInputs): boolean {
  const { ram } = context;
  if (ram.powerSource === 'backup') {
    ram.lowSince = undefined;
    ram.powerLookAt = context.at + limits.backupLookMs;
    return isBackupEmpty(sensors, limits.backupReservePercent);
  }
  if (sensors.ignitionOn || sensors.supplyMillivolts >= limits.lowMillivolts) {
    ram.lowSince = undefined;
    ram.powerLookAt = undefined;
    return false;
  }
  const since = ram.lowSince ?? context.at;
  ram.lowSince = since;
  ram.powerLookAt = Math.max(since + limits.lowMs, context.at + 1);
  return context.at >= since + limits.lowMs;
}

/** A box that has powered down: it starts when the supply is good again or the ignition is turned on. */
export function wakeIfSupplied(context: StepContext, sensors: SensorInputs): void {
  const least = sensors.ignitionOn ? limits.restoreMillivolts : limits.wakeMillivolts;
  if (sensors.supplyMillivolts >= least) resetBox(context, 'POWER_DOWN_MODE', limits.bootMs);
  else context.ram.powerLookAt = context.at + limits.asleepLookMs;
}
