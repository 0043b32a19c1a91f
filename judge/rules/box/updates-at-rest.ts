import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';

/**
 * An update over the air is installed only while the vehicle is stationary with its ignition off (docs/firmware.md).
 */
export const updatesAtRest: Checker = ({ evidence, vehicles }) => {
  const findings = new Findings();
  let installations = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    const { memories } = evidence.boxHistory(vehicle);
    for (const [index, { atMs, update }] of memories.entries()) {
      if (update !== 'installing' || memories[index - 1]?.update === 'installing') continue;
      installations += 1;
      const truths = evidence.truthsBetween(vehicle, atMs - limits.outputSlackMs, atMs) ?? [];
      if (truths.length === 0 || truths.some(({ ignitionOn }) => ignitionOn === false)) continue;
      findings.add('installed with the ignition on', nameOf(vehicle), { vehicle, atMs });
    }
  }
  return Promise.resolve(findings.result([[installations, 'installation']]));
};
