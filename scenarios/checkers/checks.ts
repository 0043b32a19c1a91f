import type { CheckerName } from '../language/expectations/checkers.ts';
import { answersAgree } from './answers-agree.ts';
import type { Checker } from './check.ts';
import { commandsAtMostOnce } from './commands-at-most-once.ts';
import { fleetsApart } from './fleets-apart.ts';
import { heals } from './heals.ts';
import { nothingDoubled } from './nothing-doubled.ts';
import { nothingLost } from './nothing-lost.ts';
import { oneResultPerVehicle } from './one-result-per-vehicle.ts';
import { orderPerBox } from './order-per-box.ts';
import { tokensExpire } from './tokens-expire.ts';
import { twinIsFold } from './twin/twin-is-fold.ts';
import { twinIsTrue } from './twin/twin-is-true.ts';
import { withinBounds } from './within-bounds.ts';

/** The checker for each name of the scenario language. */
export const CHECKS: Readonly<Record<CheckerName, Checker>> = {
  'nothing-lost': nothingLost,
  'nothing-doubled': nothingDoubled,
  'order-per-box': orderPerBox,
  'twin-is-fold': twinIsFold,
  'twin-is-true': twinIsTrue,
  'commands-at-most-once': commandsAtMostOnce,
  'answers-agree': answersAgree,
  'one-result-per-vehicle': oneResultPerVehicle,
  'tokens-expire': tokensExpire,
  'fleets-apart': fleetsApart,
  'within-bounds': withinBounds,
  heals,
};
