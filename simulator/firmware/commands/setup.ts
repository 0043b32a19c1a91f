import type { CommandRequest } from '../../../protocol/message.ts';
import type { Signals } from '../../../protocol/signals.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { forgetTokens } from '../bluetooth/bluetooth-token.ts';
import { intentKey, intentPage, settingsKey, settingsPage, standardSettings } from '../core/pages.ts';
import type { StepContext } from '../core/step-context.ts';
import { answerRequest } from './answered-requests.ts';
import type { SetupFinding } from './command-state.ts';
import { readSignalsWithoutWaking } from './workshop.ts';

interface SetupCheck {
  readonly finding: SetupFinding;
  /** The texts of the failed reply; all of them together fit into it. */
  readonly failureText: string;
  readonly isThere: (signals: Signals, sensors: SensorInputs) => boolean;
}

const CHECKS: readonly SetupCheck[] = [
  {
    finding: 'vehicle',
    failureText: 'no answer on OBD or CAN',
    isThere: ({ obd, can }) => (obd?.length ?? 0) > 0 || (can?.length ?? 0) > 0,
  },
  {
    finding: 'position',
    failureText: 'no GNSS fix',
    // Dead reckoning continues from a fix; a newly installed box has had none.
    isThere: ({ gnss }) => gnss?.quality === 1 || gnss?.quality === 2,
  },
  {
    finding: 'supply',
    failureText: 'low supply',
    isThere: (_signals, { supplyMillivolts }) => supplyMillivolts >= limits.setupMillivolts,
  },
  {
    finding: 'signal',
    failureText: 'weak signal',
    isThere: ({ modem }) => modem !== undefined && modem.csq !== 99 && modem.csq >= limits.setupCsq,
  },
];

/** Begins: the intent is durable first. */
export function beginSetup(
  context: StepContext,
  request: CommandRequest,
  commandCode: number,
  sensors: SensorInputs,
): void {
  const { requestId, expiresMs } = request;
  context.flash.intent = { requestId, expiresMs, commandCode };
  context.writes.push({ put: intentKey, bytes: intentPage(context.flash.intent) });
  context.ram.setup = { beganAt: context.at, lookAt: context.at, found: [] };
  operateSetup(context, sensors);
}

/** Looks once more where that is due, and answers when nothing is missing or the time is over. */
export function operateSetup(context: StepContext, sensors: SensorInputs): void {
  const { setup } = context.ram;
  const { intent } = context.flash;
  if (setup === undefined || intent === undefined || context.at < setup.lookAt) return;
  const signals = readSignalsWithoutWaking(context, sensors);
  const isFound = ({ finding, isThere }: SetupCheck) =>
    setup.found.includes(finding) || isThere(signals, sensors);
  const missing = CHECKS.filter((check) => !isFound(check));
  const found = CHECKS.filter(isFound).map(({ finding }) => finding);
  context.ram.setup = { ...setup, found, lookAt: context.at + limits.lookMs };
  const leastMs = missing.length === 0 ? limits.setupLeastMs : limits.setupMostMs;
  if (context.at - setup.beganAt < leastMs) return;
  const { requestId, expiresMs } = intent;
  const sequence =
    missing.length === 0
      ? answerRequest(context, expiresMs, { requestId, outcome: 'done', signals })
      : answerRequest(context, expiresMs, {
          requestId,
          outcome: 'failed',
          error: missing.map(({ failureText: otherwise }) => otherwise).join('; '),
          signals,
        });
  // Without room in the journal the reply is tried again with the next look.
  if (sequence === undefined) return;
  context.ram.setup = undefined;
  // The service attributes earlier records to another vehicle.
  context.ram.sampler = { ...context.ram.sampler, owesRestReading: true };
  if (missing.length > 0) return;
  forgetConfiguration(context);
  forgetTokens(context);
}

/**
 * Restores the factory configuration, since the last one was for another vehicle, in the same write as the reply that
 * reports it. The revision stays, so that only a later one is accepted.
 */
function forgetConfiguration(context: StepContext): void {
  const { revision } = context.flash.configuration;
  context.flash.configuration = { revision, values: standardSettings() };
  context.writes.push({ put: settingsKey, bytes: settingsPage(context.flash.configuration) });
}
