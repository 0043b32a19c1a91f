import { topics } from '../../protocol/topics.ts';
import { limits } from '../limits.ts';
import { otherNetwork, restartData, restartModem, restartSearch } from './modem.ts';
import { publish } from './outbox.ts';
import { resetBox } from './power.ts';
import { hangUp } from './session.ts';
import { frameOf, keepCounters, type Turn } from './turn.ts';

/**
 * What takes the link down waits until its reply is out (or for `limits.errandMs`), and a reset of the board says
 * goodbye first: a going-down notice, and `gone` retained in place of the birth.
 */
export function tendErrands(turn: Turn): void {
  const { errand, leaving, outbox, session } = turn.ram;
  const isOut = (token: number): boolean => !outbox.inFlight.some((one) => one.token === token);
  if (leaving !== undefined) {
    const isCut = session.phase !== 'ready';
    if (!isCut && turn.at < leaving.until && !leaving.tokens.every(isOut)) return;
    if (!isCut) turn.effects.push({ kind: 'disconnect' });
    resetBox(turn, leaving.reason, limits.resetDownMs);
    return;
  }
  if (errand === undefined) return;
  const isSent = errand.token !== undefined && session.phase === 'ready' && isOut(errand.token);
  if (!isSent && turn.at < errand.until) return;
  turn.ram.errand = undefined;
  switch (errand.what) {
    case 'board-reset':
      leave(turn);
      return;
    case 'modem-reset':
      hangUp(turn);
      restartModem(turn, limits.modemResetMs);
      return;
    case 'data-connection-reset':
      hangUp(turn);
      restartData(turn);
      return;
    case 'switch-mobile-network': {
      const network = otherNetwork(turn.ram.networks, turn.flash.counters.network);
      if (network === undefined) return;
      keepCounters(turn, { network: network.code });
      hangUp(turn);
      restartSearch(turn);
      return;
    }
    default:
      errand.what satisfies never;
  }
}

/** A reset that the box decided on itself is SOFTWARE. */
function leave(turn: Turn): void {
  const reason = 'SOFTWARE';
  if (turn.ram.session.phase !== 'ready') {
    hangUp(turn);
    resetBox(turn, reason, limits.resetDownMs);
    return;
  }
  const { boxId } = turn.facts;
  const { connection } = turn.flash.counters;
  const goodbye = frameOf(turn, { kind: 'going-down', reason: 'reset', expectedS: limits.resetExpectedS });
  const notice = publish(turn, topics.up(boxId), goodbye, false);
  const gone = publish(turn, topics.presence(boxId), frameOf(turn, { kind: 'gone', connection }), true);
  turn.ram.leaving = { reason, tokens: [notice, gone], until: turn.at + limits.leavingMs };
}
