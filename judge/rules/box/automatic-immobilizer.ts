import type { BoxMemory } from '../../evidence/box-history.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { RunTimes } from '../answers/run-times.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { memoriesBetween, ranThroughout } from './box-moments.ts';

/** A past or ongoing cause, of which only the time and the parts matter here. */
interface TimedCause {
  readonly fromMs: number;
  readonly toMs: number;
  readonly parts: ReadonlyMap<string, boolean>;
}

/**
 * The automatic immobilizer: driving is disabled `delay_in_seconds` after the vehicle is left locked with its ignition
 * off (docs/api.md, Feature configuration), not before, and only if that is configured.
 */
export function judgeImmobilizer(
  vehicle: SimulatedVehicle,
  evidence: Pick<Evidence, 'boxHistory' | 'truthsBetween'>,
  causes: readonly TimedCause[],
  times: Pick<RunTimes, 'stoodStillUntilMs'>,
  findings: Findings,
): void {
  const { moves, memories, isWhole } = evidence.boxHistory(vehicle);
  if (!isWhole) return;
  for (const { atMs, part, to } of moves) {
    if (part !== 'drivingEnabled' || to) continue;
    if (causes.some((one) => one.parts.has(part) && one.fromMs <= atMs && atMs <= one.toMs)) continue;
    const about = { vehicle, atMs };
    const then = memoriesBetween(memories, atMs - limits.immobilizerSlackMs, atMs);
    const inForce = then.filter(({ configuration: { values } }) => values['immobilizer.enabled'] === 1);
    if (then.length > 0 && inForce.length === 0) {
      findings.add('immobilized though that is off', nameOf(vehicle), about);
      continue;
    }
    const delaysMs = inForce.map(
      ({ configuration: { values } }) => (values['immobilizer.delayS'] ?? 0) * 1_000,
    );
    const leastMs = Math.min(...delaysMs) - limits.immobilizerSlackMs;
    if (!Number.isFinite(leastMs) || leastMs <= 0) continue;
    const truths = evidence.truthsBetween(vehicle, atMs - leastMs, atMs) ?? [];
    const attended = truths.find(({ ignitionOn, locked }) => ignitionOn === true || locked === false);
    if (attended !== undefined)
      findings.add(
        'immobilized too early',
        `${nameOf(vehicle)}: ${(atMs - Number(attended['atMs'])) / 1_000} s after it was attended`,
        about,
      );
  }
  for (const { fromMs, toMs } of unattendedSpans(vehicle, evidence)) {
    const [first, ...others] = memoriesBetween(memories, fromMs, toMs);
    const values: Readonly<Record<string, number>> = first?.configuration.values ?? {};
    const delayMs = (values['immobilizer.delayS'] ?? 0) * 1_000;
    // A box processes nothing during a slow write of its flash.
    const stoodStillMs = times.stoodStillUntilMs(vehicle, { fromMs, toMs: fromMs + delayMs }) ?? 0;
    const dueMs = Math.max(fromMs + delayMs, stoodStillMs) + limits.immobilizerLateMs;
    const isSteady = others.every(({ configuration }) => configuration === first?.configuration);
    if (values['immobilizer.enabled'] !== 1 || !isSteady || dueMs > toMs) continue;
    if (!ranThroughout(memories, fromMs, toMs)) continue;
    if (moves.some(({ atMs, part }) => part === 'drivingEnabled' && atMs >= fromMs && atMs <= dueMs))
      continue;
    findings.add(
      'not immobilized',
      `${nameOf(vehicle)}: left alone for ${(toMs - fromMs) / 1_000} s, and due after ${(dueMs - fromMs) / 1_000} s`,
      { vehicle, atMs: dueMs },
    );
  }
}

/** Whether the automatic immobilizer was configured around that time. */
export function mayImmobilize(memories: readonly BoxMemory[], atMs: number): boolean {
  return memoriesBetween(memories, atMs - limits.immobilizerSlackMs, atMs).some(
    ({ configuration: { values } }) => values['immobilizer.enabled'] === 1,
  );
}

/** The spans in which the vehicle was locked with its ignition off, able to drive, and had just been left so. */
function unattendedSpans(
  vehicle: SimulatedVehicle,
  { boxHistory, truthsBetween }: Pick<Evidence, 'boxHistory' | 'truthsBetween'>,
): readonly { readonly fromMs: number; readonly toMs: number }[] {
  const { memories } = boxHistory(vehicle);
  const [firstMs, lastMs] = [memories[0]?.atMs, memories.at(-1)?.atMs];
  const isEverOn = memories.some(({ configuration: { values } }) => values['immobilizer.enabled'] === 1);
  if (firstMs === undefined || lastMs === undefined || !isEverOn) return [];
  const truths = truthsBetween(vehicle, firstMs, lastMs) ?? [];
  const spans: { fromMs: number; toMs: number }[] = [];
  let open: { fromMs: number; toMs: number } | undefined;
  let wasAttended = false;
  for (const { atMs, ignitionOn, locked, drivingEnabled } of truths) {
    const isAttended = ignitionOn !== false || locked !== true;
    if (isAttended || drivingEnabled !== true) open = undefined;
    else if (open !== undefined) open.toMs = Number(atMs);
    else if (wasAttended) {
      open = { fromMs: Number(atMs), toMs: Number(atMs) };
      spans.push(open);
    }
    wasAttended = isAttended;
  }
  return spans;
}
