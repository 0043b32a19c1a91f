import { EFFECT_KINDS, type EffectKind } from '../../../judge/evidence/effect-history.ts';
import { START_MS } from './any-recordings.ts';
import type { PlantedFault } from './change-recordings.ts';

const SAID: Readonly<Record<EffectKind, string>> = {
  receipt: 'a receipt before the commit of its records',
  message: 'a message before the commit that writes it',
  mark: 'a message marked as sent before its confirm',
  answer: 'a success before the commit of its outcome',
};

/** Every way in which something leaves a backend too early. */
export const EFFECT_FAULTS: readonly PlantedFault[] = EFFECT_KINDS.map((kind) => ({
  name: SAID[kind],
  checker: 'effects-follow-causes',
  plant(history) {
    const counts = { receipt: 1, message: 1, mark: 1, answer: 1 };
    history.effects = { counts, early: [{ kind, atMs: START_MS, text: 'the early one' }] };
    return [SAID[kind], 'the early one'];
  },
}));
