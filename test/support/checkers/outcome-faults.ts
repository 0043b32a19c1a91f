import { OUTCOME_KINDS, type OutcomeKind } from '../../../judge/evidence/outcome-history.ts';
import { START_MS } from './any-recordings.ts';
import type { PlantedFault } from './change-recordings.ts';

const SAID: Readonly<Record<OutcomeKind, string>> = {
  command: 'a settled command that changed',
  item: 'a settled vehicle of a bulk job that changed',
  configuration: 'a confirmed configuration that changed',
};

/** Every kind of row that changed after its outcome was final. */
export const OUTCOME_FAULTS: readonly PlantedFault[] = OUTCOME_KINDS.map((kind) => ({
  name: SAID[kind],
  checker: 'results-stay',
  plant(history) {
    const counts = { command: 1, item: 1, configuration: 1 };
    history.outcomes = { counts, changed: [{ kind, atMs: START_MS, text: 'the one that changed', of: 'V' }] };
    return [SAID[kind], 'the one that changed'];
  },
}));
