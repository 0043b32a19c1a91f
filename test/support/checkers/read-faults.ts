import type { AnsweredCall } from '../../../judge/evidence/evidence.ts';
import type { RunRecordings, VehicleRecording } from './any-recordings.ts';
import { addCall, type PlantedFault } from './change-recordings.ts';

/** Every way in which an answer can show of a vehicle what is not so, or not for its reader. */
export const READ_FAULTS: readonly PlantedFault[] = [
  seen('a partner is shown the tags of the owner', { tags: ['pool'] }, 'pool'),
  seen('a partner is shown the fields of the owner', { custom_fields: { depot: 'North' } }, 'depot'),
  seen('a partner is shown the name of the owner', { master_data: { custom_name: 'Bee' } }, 'custom_name'),
  seen('a vehicle lacks a command that it has', { capabilities: { commands: [] } }, 'LOCK_CENTRAL_LOCK'),
  seen(
    'a property is of tomorrow',
    { latest_vehicle_state: { position: { timestamp: '2026-01-06T09:00:00Z' } } },
    'position',
  ),
  {
    name: 'a modem was up before its reset',
    checker: 'reads-agree',
    plant(history) {
      const { vehicle } = history.vehicles[0] as VehicleRecording;
      const path = `/vehicles/${vehicle.vehicleId}/box-commands`;
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      // The wire has neither: only the answers are compared here.
      const about = { method: 'POST', vehicle };
      addCall(history, {
        ...about,
        path: `${path}/modem-reset`,
        status: 204,
        answeredMs,
        askedMs: answeredMs,
      });
      const askedMs = answeredMs + 300_000;
      const at = (ms: number) => new Date(ms).toISOString();
      const body = {
        device_up_since: at(answeredMs - 9_000),
        modem_up_since: at(answeredMs - 8_000),
        data_connection_up_since: at(askedMs),
        real_time_clock: at(askedMs),
      };
      const status = { ...about, path: `${path}/request-system-status`, body, askedMs, answeredMs: askedMs };
      return [`call ${addCall(history, status)} `, 'modem_up_since', 'modem-reset'];
    },
    also: ['answers-agree'],
  },
];

/** The first vehicle, as its partner is shown it. */
function seen(name: string, body: object, word: string): PlantedFault {
  return {
    name,
    checker: 'reads-agree',
    plant(history: RunRecordings) {
      const { vehicle } = history.vehicles[0] as VehicleRecording;
      const path = `/vehicles/${vehicle.vehicleId}`;
      const partner = { partner_fleet_id: 'PARTNER' };
      const sharing = { vehicle, path: `${path}/sharing` };
      addCall(history, { ...sharing, method: 'PUT', sent: partner, body: { shared_with: 'PARTNER' } });
      const told = { id: vehicle.vehicleId, ...body };
      const call = addCall(history, { vehicle, as: 'partner', method: 'GET', path, body: told });
      addCall(history, { ...sharing, as: 'owner', method: 'DELETE', status: 204 });
      return [`call ${call} `, word];
    },
  };
}
