import { partitionOf } from '../../protocol/partitions.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { makerLimits } from '../base/limits.ts';
import { writeStateReceived } from '../events/message.ts';
import { withLifeStatus } from '../store/port/life-status.ts';
import type { OutgoingMessage } from '../store/port/outbox-store.ts';
import { StoreFailed } from '../store/port/store.ts';
import type { LinkedVehicle, ThirdPartyStore } from '../store/port/third-party-store.ts';
import { mergeReport, reportedProperties } from '../vehicles/records.ts';
import type { MakerReport } from './client.ts';

export interface ReportReceiverParts {
  readonly world: Pick<World, 'time' | 'ids' | 'trace'>;
  readonly store: Pick<ThirdPartyStore, 'findLinked' | 'commit'>;
  readonly hasMessageBroker: boolean;
  readonly counters: Counters;
  /** Messages are in the outbox. */
  messagesWritten(): void;
}

/** The command that a report answers. */
export interface AnsweredCommand {
  readonly requestId: string;
  readonly flowId: string;
}

/**
 * The result of a report.
 * - `stored`: it is merged into the vehicle's state, and led to its message;
 * - `known`: it is not newer than what is stored;
 * - `unlinked`: no vehicle here is linked to that one;
 * - `busy`: a command is open, whose answer must come first.
 */
export type ReportOutcome = 'stored' | 'known' | 'unlinked' | 'busy';

/** Processes a maker's report, polled or pushed. Rejects only if the store fails. */
export type ReceiveReport = (
  maker: string,
  report: MakerReport,
  command?: AnsweredCommand,
) => Promise<ReportOutcome>;

/** State, last contact, message and the outcome of the command: in one transaction, once for each state. */
export function makeReceiveReport(parts: ReportReceiverParts): ReceiveReport {
  const { store, counters } = parts;

  async function attempt(
    maker: string,
    report: MakerReport,
    command: AnsweredCommand | undefined,
  ): Promise<ReportOutcome | 'stale'> {
    const linked = await store.findLinked(maker, report.makerVehicleId);
    if (linked === undefined) return 'unlinked';
    const isNewer = linked.takenMs === undefined || report.takenMs > linked.takenMs;
    // The answer to a command is stored even after a later state: its caller waits for this one.
    if (!isNewer && command === undefined) return 'known';
    const atMs = parts.world.time.nowMs();
    const { box } = linked.vehicle;
    const lastContactMs = Math.max(Math.min(report.takenMs, atMs), box.lastContactMs ?? 0);
    const { life } = withLifeStatus(box, { ...box, lastContactMs }, atMs);
    const message = messageOf(parts, linked, report, command, atMs);
    const result = await store.commit({
      vehicleId: linked.vehicle.id,
      version: linked.version,
      atMs,
      ...(isNewer ? { takenMs: report.takenMs } : {}),
      lastContactMs,
      ...(life === undefined ? {} : { life }),
      // The maker's time replaces the journal's sequence in the twin rule.
      state: mergeReport(
        linked.vehicle.state,
        reportedProperties({ epoch: 0, sequence: report.takenMs }, report.properties),
      ),
      ...(message === undefined ? {} : { message }),
      ...(command === undefined ? {} : { requestId: command.requestId }),
    });
    if (result !== 'written') return result;
    parts.world.trace.note({
      who: 'backend',
      what: 'maker-state',
      detail: `${linked.vehicle.id} ${report.takenMs}`,
    });
    if (message !== undefined) {
      counters.add('messages.written');
      parts.messagesWritten();
    }
    return 'stored';
  }

  return async (maker, report, command) => {
    for (let count = 0; count < makerLimits.staleAttempts; count += 1) {
      const result = await attempt(maker, report, command);
      if (result === 'stale') continue;
      counters.add(`third-party.${result}`);
      return result;
    }
    throw new StoreFailed('A vehicle changed each time while the state of its maker was being decided.');
  };
}

/** undefined: no message, since there is no message broker or the vehicle is not set up. */
function messageOf(
  { world, hasMessageBroker }: ReportReceiverParts,
  { vehicle }: LinkedVehicle,
  report: MakerReport,
  command: AnsweredCommand | undefined,
  atMs: number,
): OutgoingMessage | undefined {
  if (!hasMessageBroker || vehicle.setupStatus !== 'SUCCEEDED') return undefined;
  return writeStateReceived({
    messageId: world.ids.ulid(),
    flowId: command?.flowId ?? world.ids.uuid(),
    createdMs: atMs,
    vehicleId: vehicle.id,
    fleetId: vehicle.fleetId,
    partition: partitionOf(vehicle.boxId ?? vehicle.id),
    receivedMs: atMs,
    triggeredBy:
      command === undefined ? undefined : { channel: 'API_COMMAND', correlationId: command.flowId },
    properties: report.properties,
  });
}
