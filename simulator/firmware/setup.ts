import type { CommandRequest } from '../../protocol/message.ts';
import type { Signals } from '../../protocol/signals.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { answer } from './answers.ts';
import { forgetTokens } from './ble-token.ts';
import { intentKey, intentPage, settingsKey, settingsPage, standardSettings } from './pages.ts';
import type { Turn } from './turn.ts';
import { hearSignals } from './workshop.ts';

/**
 * A box that is told to begin its setup gets acquainted with its vehicle: it looks at its inputs once a second until
 * it has seen all that it needs, or its patience is over. What was seen once counts, a passing bridge does no harm.
 * Meanwhile it takes no other command; the intent in flash sees to that, and to an honest answer after a reset.
 */
export interface Acquaintance {
  readonly beganAt: number;
  readonly lookAt: number;
  readonly found: readonly Finding[];
}

export type Finding = 'vehicle' | 'position' | 'supply' | 'signal';

interface Check {
  readonly finding: Finding;
  /** What the failed reply says; all of them together fit into its text. */
  readonly otherwise: string;
  readonly isThere: (signals: Signals, senses: Senses) => boolean;
}

const CHECKS: readonly Check[] = [
  {
    finding: 'vehicle',
    otherwise: 'no answer on OBD or CAN',
    isThere: ({ obd, can }) => (obd?.length ?? 0) > 0 || (can?.length ?? 0) > 0,
  },
  {
    finding: 'position',
    otherwise: 'no GNSS fix',
    // Dead reckoning goes on from a fix; a box that was just built in has had none.
    isThere: ({ gnss }) => gnss?.quality === 1 || gnss?.quality === 2,
  },
  {
    finding: 'supply',
    otherwise: 'low supply',
    isThere: (_signals, { supplyMillivolts }) => supplyMillivolts >= limits.setupMillivolts,
  },
  {
    finding: 'signal',
    otherwise: 'weak signal',
    isThere: ({ modem }) => modem !== undefined && modem.csq !== 99 && modem.csq >= limits.setupCsq,
  },
];

/** Begins: the intent is durable first. */
export function beginSetup(turn: Turn, request: CommandRequest, commandCode: number, senses: Senses): void {
  const { requestId, expiresMs } = request;
  turn.flash.intent = { requestId, expiresMs, commandCode };
  turn.writes.push({ put: intentKey, bytes: intentPage(turn.flash.intent) });
  turn.ram.setup = { beganAt: turn.at, lookAt: turn.at, found: [] };
  tendSetup(turn, senses);
}

/** Looks once more where that is due, and answers when nothing is missing or the time is over. */
export function tendSetup(turn: Turn, senses: Senses): void {
  const { setup } = turn.ram;
  const { intent } = turn.flash;
  if (setup === undefined || intent === undefined || turn.at < setup.lookAt) return;
  const signals = hearSignals(turn, senses);
  const isFound = ({ finding, isThere }: Check) => setup.found.includes(finding) || isThere(signals, senses);
  const missing = CHECKS.filter((check) => !isFound(check));
  const found = CHECKS.filter(isFound).map(({ finding }) => finding);
  turn.ram.setup = { ...setup, found, lookAt: turn.at + limits.lookMs };
  const leastMs = missing.length === 0 ? limits.setupLeastMs : limits.setupMostMs;
  if (turn.at - setup.beganAt < leastMs) return;
  const { requestId, expiresMs } = intent;
  const sequence =
    missing.length === 0
      ? answer(turn, expiresMs, { requestId, outcome: 'done', signals })
      : answer(turn, expiresMs, {
          requestId,
          outcome: 'failed',
          error: missing.map(({ otherwise }) => otherwise).join('; '),
          signals,
        });
  // Without room in the journal the reply is tried again with the next look.
  if (sequence === undefined) return;
  turn.ram.setup = undefined;
  // The service takes what came before for the word of another vehicle.
  turn.ram.sampler = { ...turn.ram.sampler, owesRest: true };
  if (missing.length > 0) return;
  forgetConfiguration(turn);
  forgetTokens(turn);
}

/**
 * What the box was configured to in its last vehicle is not for this one: it is as from the factory, in the same write
 * as the reply that tells so. The revision stays, so that only a later one is taken.
 */
function forgetConfiguration(turn: Turn): void {
  const { revision } = turn.flash.configuration;
  turn.flash.configuration = { revision, values: standardSettings() };
  turn.writes.push({ put: settingsKey, bytes: settingsPage(turn.flash.configuration) });
}
