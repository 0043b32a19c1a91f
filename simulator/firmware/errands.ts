import { limits } from '../limits.ts';
import { leave, tendLeaving } from './leaving.ts';
import { otherNetwork, restartData, restartModem, restartSearch } from './modem.ts';
import { hangUp } from './session.ts';
import { keepCounters, type Turn } from './turn.ts';
import { abandonUpdate, programOf, takeInForce } from './update.ts';

/**
 * What takes the link down waits until its reply is out (or for `limits.errandMs`), and a reset of the board says
 * goodbye first (leaving.ts).
 */
export function tendErrands(turn: Turn): void {
  const { errand, leaving, outbox, session } = turn.ram;
  const isOut = (token: number): boolean => !outbox.inFlight.some((one) => one.token === token);
  if (leaving !== undefined) {
    tendLeaving(turn, leaving);
    return;
  }
  if (errand === undefined) return;
  const isSent = errand.token !== undefined && session.phase === 'ready' && isOut(errand.token);
  if (!isSent && turn.at < errand.until) return;
  turn.ram.errand = undefined;
  switch (errand.what) {
    case 'board-reset':
      leave(turn, 'reset');
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
      // Where the other network has gone out of reach meanwhile, the search ends at the same one.
      const network = otherNetwork(turn.ram.networks, turn.flash.counters.network);
      if (network !== undefined) keepCounters(turn, { network: network.code });
      hangUp(turn);
      restartSearch(turn);
      return;
    }
    default:
      errand.what satisfies never;
  }
}

/**
 * A workshop puts another program into the bank that runs: the box goes down, and boots with that. It stays over resets
 * and restarts, and ends an update that is under way.
 */
export function takeFirmware(turn: Turn, version: readonly [major: number, minor: number]): void {
  abandonUpdate(turn);
  takeInForce(turn, { ...programOf(turn), version });
  const { power, leaving } = turn.ram;
  if (power === 'off' || power === 'dead' || leaving !== undefined) return;
  leave(turn, 'flash');
}
