import { EFFECT_KINDS, type EffectKind } from '../evidence/effect-history.ts';
import type { Checker } from './check.ts';
import { Findings, nothingCompared } from './findings.ts';

const KINDS: Readonly<Record<EffectKind, string>> = {
  receipt: 'a receipt before the commit of its records',
  message: 'a message before the commit that writes it',
  mark: 'a message marked as sent before its confirm',
  answer: 'a success before the commit of its outcome',
};

/**
 * What a crash in the gap would lose is found in every run: a receipt follows the commit of its records, a message the
 * commit that writes it, its mark the confirm of the broker, and the answer to a command the commit of its outcome.
 */
export const effectsFollowCauses: Checker = ({ evidence, vehicles }) => {
  const history = evidence.effects();
  if (history === undefined)
    return Promise.resolve(nothingCompared('the ports of the backends were not recorded'));
  const findings = new Findings();
  for (const { kind, atMs, text, of } of history.early) {
    const vehicle = vehicles.find(
      ({ boxId, vehicleId }) => of !== undefined && (boxId === of || vehicleId === of),
    );
    findings.add(KINDS[kind], text, { vehicle, atMs });
  }
  return Promise.resolve(findings.result(EFFECT_KINDS.map((kind) => [history.counts[kind], kind])));
};
