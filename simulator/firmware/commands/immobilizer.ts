import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import type { StepContext } from '../core/step-context.ts';

/** Notices that the vehicle is left or returned to, and disables driving where that is configured and due. */
export function operateImmobilizer(context: StepContext, sensors: SensorInputs): void {
  const { ram } = context;
  if (!mayImmobilize(sensors)) {
    ram.unattended = undefined;
    return;
  }
  const unattended = ram.unattended ?? { since: context.at, isDone: false, retryAt: 0 };
  ram.unattended = unattended;
  if (unattended.isDone || context.at < (immobilizerDueAt(context) ?? Number.POSITIVE_INFINITY)) return;
  ram.unattended = { ...unattended, isDone: true };
  if (sensors.drivingEnabled) context.effects.push({ kind: 'immobilize' });
}

/** Whether the vehicle is left, so that driving may be disabled. */
export function mayImmobilize({ ignitionOn, locked }: SensorInputs): boolean {
  return !ignitionOn && locked;
}

/** When driving is to be disabled; undefined: it is not. */
export function immobilizerDueAt({ ram, flash }: Pick<StepContext, 'ram' | 'flash'>): number | undefined {
  const { values } = flash.configuration;
  if (ram.unattended === undefined || ram.unattended.isDone || values['immobilizer.enabled'] !== 1)
    return undefined;
  return Math.max(ram.unattended.since + values['immobilizer.delayS'] * 1000, ram.unattended.retryAt);
}

/** The relay was opened, which the next look reports like any other change; or it refused. */
export function handleImmobilized(context: StepContext, isAccepted: boolean): void {
  const { unattended } = context.ram;
  if (!isAccepted && unattended !== undefined)
    context.ram.unattended = {
      ...unattended,
      isDone: false,
      retryAt: context.at + limits.immobilizerRetryMs,
    };
}
