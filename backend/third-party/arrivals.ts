import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { writeStateReceived } from '../events/message.ts';
import type { OutgoingMessage } from '../store/outbox-store.ts';
import { StoreFailed } from '../store/store.ts';
import type { LinkedVehicle, ThirdPartyStore } from '../store/third-party-store.ts';
import { withLife } from '../vehicles/life-status.ts';
import { mergeReport, toldBy } from '../vehicles/records.ts';
import type { MakerReport } from './client.ts';
import { makerLimits } from './limits.ts';

export interface ArrivalsParts {
  readonly world: Pick<World, 'time' | 'mint' | 'trace'>;
  readonly store: Pick<ThirdPartyStore, 'findLinked' | 'commit'>;
  readonly hasExchange: boolean;
  readonly counters: Counters;
  /** Messages are in the outbox. */
  written(): void;
}

/** The command that a report answers. */
export interface Cause {
  readonly requestId: string;
  readonly flowId: string;
}

/**
 * What became of a report.
 * - `stored`: it is in the vehicle's state, and led to its message;
 * - `known`: it says nothing newer than what is stored;
 * - `unlinked`: none of our vehicles is linked to that one;
 * - `busy`: a command is open, whose answer is to come first.
 */
export type Arrival = 'stored' | 'known' | 'unlinked' | 'busy';

/** Takes what makers tell, however it came. Rejects only where the store fails. */
export type TakeReport = (maker: string, report: MakerReport, cause?: Cause) => Promise<Arrival>;

/** State, last contact, message and the outcome of the command: in one transaction, once for each state. */
export function makeTakeReport(parts: ArrivalsParts): TakeReport {
  const { store, counters } = parts;

  async function attempt(
    maker: string,
    report: MakerReport,
    cause: Cause | undefined,
  ): Promise<Arrival | 'stale'> {
    const linked = await store.findLinked(maker, report.makerVehicleId);
    if (linked === undefined) return 'unlinked';
    const isNewer = linked.takenMs === undefined || report.takenMs > linked.takenMs;
    // The answer to a command is told even where a later state came before it: its caller waits for this one.
    if (!isNewer && cause === undefined) return 'known';
    const atMs = parts.world.time.nowMs();
    const { box } = linked.vehicle;
    const lastContactMs = Math.max(Math.min(report.takenMs, atMs), box.lastContactMs ?? 0);
    const { life } = withLife(box, { ...box, lastContactMs }, atMs);
    const message = messageOf(parts, linked, report, cause, atMs);
    const result = await store.commit({
      vehicleId: linked.vehicle.id,
      version: linked.version,
      atMs,
      ...(isNewer ? { takenMs: report.takenMs } : {}),
      lastContactMs,
      ...(life === undefined ? {} : { life }),
      // The maker's time takes the place of the journal's sequence in the twin rule.
      state: mergeReport(
        linked.vehicle.state,
        toldBy({ epoch: 0, sequence: report.takenMs }, report.properties),
      ),
      ...(message === undefined ? {} : { message }),
      ...(cause === undefined ? {} : { requestId: cause.requestId }),
    });
    if (result !== 'written') return result;
    parts.world.trace.note({
      who: 'backend',
      what: 'maker-state',
      detail: `${linked.vehicle.id} ${report.takenMs}`,
    });
    if (message !== undefined) {
      counters.add('messages.written');
      parts.written();
    }
    return 'stored';
  }

  return async (maker, report, cause) => {
    for (let count = 0; count < makerLimits.staleAttempts; count += 1) {
      const result = await attempt(maker, report, cause);
      if (result === 'stale') continue;
      counters.add(`third-party.${result}`);
      return result;
    }
    throw new StoreFailed('A vehicle changed each time while the state of its maker was being decided.');
  };
}

/** undefined: nothing goes out, since there is no exchange or the vehicle is not set up. */
function messageOf(
  { world, hasExchange }: ArrivalsParts,
  { vehicle }: LinkedVehicle,
  report: MakerReport,
  cause: Cause | undefined,
  atMs: number,
): OutgoingMessage | undefined {
  if (!hasExchange || vehicle.setupStatus !== 'SUCCEEDED') return undefined;
  return writeStateReceived({
    messageId: world.mint.ulid(),
    flowId: cause?.flowId ?? world.mint.uuid(),
    createdMs: atMs,
    vehicleId: vehicle.id,
    fleetId: vehicle.fleetId,
    receivedMs: atMs,
    triggeredBy: cause === undefined ? undefined : { channel: 'API_COMMAND', correlationId: cause.flowId },
    properties: report.properties,
  });
}
