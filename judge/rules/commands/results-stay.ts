import { OUTCOME_KINDS, type OutcomeKind } from '../../evidence/outcome-history.ts';
import type { Checker } from '../check.ts';
import { Findings, nothingCompared } from '../findings.ts';

const CHANGES: Readonly<Record<OutcomeKind, string>> = {
  command: 'of a command',
  item: 'of a vehicle of a job',
  configuration: 'of a configuration',
};

const KINDS: Readonly<Record<OutcomeKind, string>> = {
  command: 'a settled command that changed',
  item: 'a settled vehicle of a bulk job that changed',
  configuration: 'a confirmed configuration that changed',
};

/**
 * What is settled stays as it is, by every change in the store and not only by what answers tell: a command that its box
 * has answered, a vehicle of a bulk job that was applied or has failed, and what a box has confirmed.
 */
export const resultsStay: Checker = ({ evidence, vehicles }) => {
  const history = evidence.outcomes();
  if (history === undefined)
    return Promise.resolve(nothingCompared('the changes in the store were not recorded'));
  const findings = new Findings();
  for (const { kind, atMs, text, of } of history.changed) {
    const vehicle = vehicles.find(({ boxId, vehicleId }) => boxId === of || vehicleId === of);
    findings.add(KINDS[kind], text, { vehicle, atMs });
  }
  const compared = OUTCOME_KINDS.map(
    (kind) => [history.counts[kind], `change ${CHANGES[kind]}`, `changes ${CHANGES[kind]}`] as const,
  );
  return Promise.resolve(findings.result(compared));
};
