import type { CheckerName } from '../checkers.ts';
import { guardsHold } from './answers/guards-hold.ts';
import { notificationsAreTaken } from './answers/notifications-are-taken.ts';
import { quotaHolds } from './answers/quota-holds.ts';
import { readsAgree } from './answers/reads-agree.ts';
import { successesHold } from './answers/successes-hold.ts';
import { boxRemembers } from './box/box-remembers.ts';
import { connectsWithPatience } from './box/connects-with-patience.ts';
import { eventsAreTold } from './box/events-are-told.ts';
import { outputsAreCaused } from './box/outputs-are-caused.ts';
import { phonesAreEntitled } from './box/phones-are-entitled.ts';
import { sessionsLast } from './box/sessions-last.ts';
import { updatesAtRest } from './box/updates-at-rest.ts';
import { updatesEndRightly } from './box/updates-end-rightly.ts';
import { bulkInTime } from './bulk/bulk-in-time.ts';
import type { Checker } from './check.ts';
import { answersAgree } from './commands/answers-agree.ts';
import { commandsAtMostOnce } from './commands/commands-at-most-once.ts';
import { oneOpenCommand } from './commands/one-open-command.ts';
import { outputsAreSafe } from './commands/outputs-are-safe.ts';
import { resultsStay } from './commands/results-stay.ts';
import { effectsFollowCauses } from './effects-follow-causes.ts';
import { fleetsApart } from './fleets-apart.ts';
import { flowsAgree } from './flows-agree.ts';
import { heals } from './heals.ts';
import { messagesHold } from './messages/messages-hold.ts';
import { nothingDoubled } from './nothing-doubled.ts';
import { nothingLost } from './nothing-lost.ts';
import { oneResultPerVehicle } from './one-result-per-vehicle.ts';
import { orderPerBox } from './order-per-box.ts';
import { partitionsHaveOneHolder } from './partitions/partitions-have-one-holder.ts';
import { receiptsInTime } from './partitions/receipts-in-time.ts';
import { presenceAgrees } from './presence-agrees.ts';
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
  'guards-hold': guardsHold,
  'successes-hold': successesHold,
  'reads-agree': readsAgree,
  'one-open-command': oneOpenCommand,
  'outputs-are-safe': outputsAreSafe,
  'flows-agree': flowsAgree,
  'messages-hold': messagesHold,
  'presence-agrees': presenceAgrees,
  'partitions-have-one-holder': partitionsHaveOneHolder,
  'receipts-in-time': receiptsInTime,
  'effects-follow-causes': effectsFollowCauses,
  'results-stay': resultsStay,
  'one-result-per-vehicle': oneResultPerVehicle,
  'bulk-in-time': bulkInTime,
  'notifications-are-taken': notificationsAreTaken,
  'quota-holds': quotaHolds,
  'tokens-expire': tokensExpire,
  'fleets-apart': fleetsApart,
  'within-bounds': withinBounds,
  'phones-are-entitled': phonesAreEntitled,
  'outputs-are-caused': outputsAreCaused,
  'box-remembers': boxRemembers,
  'connects-with-patience': connectsWithPatience,
  'sessions-last': sessionsLast,
  'updates-at-rest': updatesAtRest,
  'updates-end-rightly': updatesEndRightly,
  'events-are-told': eventsAreTold,
  heals,
};
