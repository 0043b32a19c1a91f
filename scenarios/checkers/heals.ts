import { counted } from '../language/counted.ts';
import type { Check } from './check.ts';
import { Findings, nameOf } from './findings.ts';

/** Tells what was pending at every look since the last fault ended, with the reason that its own side has for it. */
export const heals: Check = ({ players, unhealed, scenario }) => {
  const findings = new Findings();
  for (const { what, reason, vehicle } of unhealed) {
    const player = players.find(({ number }) => number === vehicle);
    const of = player === undefined ? '' : ` of ${nameOf(player)}`;
    findings.say('still pending', `${what}${of} after ${scenario.limits.healMs / 1_000} s: ${reason}`, {
      player,
    });
  }
  return Promise.resolve(findings.checked(`${counted(players.length, 'vehicle')} and the service`));
};
