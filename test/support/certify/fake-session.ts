import { tryAccess } from '../../../certify/service/access-points.ts';
import { type CertifySession, PointList } from '../../../certify/service/certify-session.ts';
import { tryRecords } from '../../../certify/service/record-points.ts';
import { ServiceApi } from '../../../certify/service/service-api.ts';
import { tryCards, tryCommands } from '../../../certify/service/success-points.ts';
import { capabilityOf } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import type { Point } from '../../../judge/certify/point.ts';
import type { CandidateVehicle } from '../../../scenarios/causes/cause.ts';
import { CallRecording } from '../../../scenarios/testbed/common/recordings/call-recording.ts';
import type { Time } from '../../../world/time/time.ts';
import { FakeService, FLEETS, SECRET, type ServiceFault, VEHICLE_IDS } from './fake-service.ts';

/** A time in which each wait is over at once. */
function hastyTime(): Time {
  let nowMs = Date.parse('2026-01-05T06:00:00Z');
  return {
    nowMs: () => nowMs,
    alarm(dueMs, wake) {
      let isCancelled = false;
      setImmediate(() => {
        nowMs = Math.max(nowMs, dueMs);
        if (!isCancelled) wake();
      });
      return () => {
        isCancelled = true;
      };
    },
  };
}

/** Vehicles with all commands and features. */
const CANDIDATES: readonly CandidateVehicle[] = VEHICLE_IDS.map((id) => ({
  id,
  telematics: 'box',
  capabilities: OPERATIONS.flatMap((operation) => capabilityOf(operation) ?? []),
  sharedWith: undefined,
  vin: 'ZZ94XEJ4256586925',
  model: 'petrol-compact',
  boxId: '0123456789abcdef',
  installation: 'OBD',
  generation: 2,
  hardwareRevision: 5,
  firmware: '2.31',
  simProvider: 'meadow',
}));

function sessionOf(service: FakeService): CertifySession {
  const time = hastyTime();
  const client = { clientId: 'certified', clientSecret: SECRET };
  const api = new ServiceApi({
    baseUrl: 'http://service.test',
    client,
    fetch: (request) => service.fetch(request),
    time,
  });
  // What these points do not look at is not there.
  const parts: Partial<Record<keyof CertifySession, unknown>> = {
    options: { client },
    time,
    api,
    fleet: { fleet: { boxes: new Map() } },
    ports: {
      nowMs: () => time.nowMs(),
      pause: () => Promise.resolve(),
      call: async (request: Parameters<CertifySession['ports']['call']>[0]) => {
        if (request.target === 'api') return api.call(request);
        const { status, body } = service.admin();
        return { status, headers: {}, text: JSON.stringify(body) };
      },
    },
    context: {
      vehicles: CANDIDATES,
      shelf: [{ boxId: 'fedcba9876543210', model: 'petrol-compact' }],
      fleetId: FLEETS.fleet_id,
      partnerFleetId: FLEETS.partner_fleet_id,
      strangerFleetId: FLEETS.stranger_fleet_id,
    },
    means: { hasAdmin: true, hasSurroundings: true },
    vehicles: VEHICLE_IDS.map((vehicleId) => ({ vehicleId, box: { sim: () => service.card } })),
    calls: new CallRecording(),
    messages: undefined,
  };
  return parts as unknown as CertifySession;
}

/** The points of access and success of a service with this fault; of those ids, or all. */
export async function triedService(
  fault: ServiceFault = {},
  only: readonly string[] = [],
): Promise<readonly Point[]> {
  const session = sessionOf(new FakeService(fault));
  const list = new PointList(only);
  await tryAccess(session, list);
  await tryRecords(session, list);
  await tryCommands(session, list);
  await tryCards(session, list);
  return list.points;
}
