import { LIFE_STATUS } from '../evidence/evidence.ts';
import type { Checker } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { wasHelloHeldBack } from './held-back-hello.ts';

/** Reports what was pending at every poll since the last fault ended, with the reason that the pending side gives. */
export const heals: Checker = ({ vehicles, unhealed, plan, facts }) => {
  const findings = new Findings();
  for (const { what, reason, vehicle: vehicleNumber } of unhealed) {
    const vehicle = vehicles.find(({ number }) => number === vehicleNumber);
    if (what === LIFE_STATUS && vehicle !== undefined && wasHelloHeldBack(vehicle, facts)) continue;
    const of = vehicle === undefined ? '' : ` of ${nameOf(vehicle)}`;
    findings.add('still pending', `${what}${of} after ${plan.healMs / 1_000} s: ${reason}`, {
      vehicle,
    });
  }
  return Promise.resolve(
    findings.result([
      [vehicles.length, 'vehicle'],
      [1, 'service'],
    ]),
  );
};
