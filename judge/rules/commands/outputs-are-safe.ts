import type { CommandName } from '../../../protocol/commands.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';

/** What must not be moved in a vehicle that drives: docs/api.md, Problems, conflicting-state. */
const ONLY_AT_REST: ReadonlySet<string> = new Set<CommandName>([
  'lock-central-lock',
  'unlock-central-lock',
  'disable-driving',
  'lock-and-disable-driving',
  'unlock-and-enable-driving',
]);

/**
 * Compares the output moves of boxes with the physics: no lock and no immobilizer of a vehicle that drives, within the
 * resolution of its own speed reading. Whether it drove is the truth of the simulator, not the belief of the box or the
 * service.
 */
export const outputsAreSafe: Checker = async ({ evidence, vehicles }) => {
  const findings = new Findings();
  let acts = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    for (const { atMs, requestId, command } of await evidence.outputActions(vehicle)) {
      if (!ONLY_AT_REST.has(command)) continue;
      acts += 1;
      const truths = evidence.truthsBetween(vehicle, atMs - limits.outputSlackMs, atMs) ?? [];
      if (truths.length === 0 || truths.some(({ speedKph }) => Number(speedKph) < limits.tellableSpeedKph))
        continue;
      const speeds = truths.map(({ speedKph }) => Number(speedKph));
      findings.add(
        'moved while driving',
        `${command}, request ${requestId}, in ${nameOf(vehicle)} at ${Math.min(...speeds).toFixed(1)} km/h`,
        { vehicle, atMs },
      );
    }
  }
  return findings.result([[acts, 'act']]);
};
