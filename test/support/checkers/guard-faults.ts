import type { AnsweredCall } from '../../../judge/evidence/evidence.ts';
import type { RunRecordings, VehicleRecording } from './any-recordings.ts';
import { addCall, type PlantedFault } from './change-recordings.ts';

const VEHICLE = '/problems/vehicle';
type Answer = Pick<AnsweredCall, 'status'> & Partial<AnsweredCall>;

/** Every guard, answered wrongly in both directions. Vehicle 1 is an estate of generation 2 without a smoke sensor. */
export const GUARD_FAULTS: readonly PlantedFault[] = [
  answered('a client without the permission is answered', '/box-connectivity-commands/network-detach', {
    as: 'operator',
    status: 204,
    method: 'POST',
  }),
  answered('a client with the permission is refused', '/box-commands/ble-reset', {
    as: 'operator',
    status: 403,
    problem: '/problems/missing-permissions',
    method: 'POST',
  }),
  answered('a vehicle of the fleet is not there', '', {
    status: 404,
    problem: '/problems/resource-not-found',
  }),
  answered('a vehicle that is set up is not', '/commands/request-vehicle-state', {
    status: 409,
    problem: `${VEHICLE}/conflicting-setup-status`,
    method: 'POST',
  }),
  answered('a vehicle that nobody shares is refused as shared', '/box-commands/ble-reset', {
    status: 409,
    problem: `${VEHICLE}/shared-with-partner`,
    method: 'POST',
  }),
  {
    name: 'an owner does what is the partner’s alone',
    checker: 'guards-hold',
    plant(history) {
      const { vehicle } = history.vehicles[0] as VehicleRecording;
      const path = `/vehicles/${vehicle.vehicleId}`;
      const sharing = { vehicle, path: `${path}/sharing`, body: { shared_with: 'PARTNER' } };
      addCall(history, { ...sharing, method: 'PUT', sent: { partner_fleet_id: 'PARTNER' } });
      const command = { vehicle, method: 'POST', path: `${path}/box-connectivity-commands/network-detach` };
      const call = addCall(history, { ...command, status: 204 });
      addCall(history, { vehicle, method: 'DELETE', path: `${path}/sharing`, status: 204 });
      return [`call ${call},`, 'shared-with-partner'];
    },
  },
  answered('a command is not supported though the vehicle has it', '/commands/lock-central-lock', {
    status: 409,
    problem: `${VEHICLE}/command-not-supported`,
    method: 'POST',
  }),
  answered('a command is taken that the vehicle has not', '/commands/unlock-top-case', {
    status: 504,
    problem: `${VEHICLE}/no-connection`,
    method: 'POST',
  }),
  answered('a firmware is too old that is not', '/box-commands/activate-workshop-mode', {
    status: 409,
    problem: '/problems/incompatible-firmware-version',
    method: 'POST',
  }),
  answered(
    'a feature is taken without its sensor',
    '/telematics-unit/feature-configuration/smoke-detection',
    {
      status: 504,
      problem: `${VEHICLE}/no-connection`,
      method: 'PUT',
      sent: {},
    },
  ),
  answered(
    'a feature is refused that the box has',
    '/telematics-unit/feature-configuration/damage-detection',
    {
      status: 409,
      problem: '/problems/incompatible-telematics-unit-model',
      method: 'PUT',
      sent: {},
    },
  ),
  answered('parameters beyond their range are taken', '/telematics-unit/feature-configuration/tracking', {
    status: 504,
    problem: `${VEHICLE}/no-connection`,
    method: 'PUT',
    sent: { time_interval_in_seconds: 0 },
  }),
  answered('right parameters are refused', '/telematics-unit/feature-configuration/tracking', {
    status: 400,
    problem: '/problems/validation-error',
    method: 'PUT',
    sent: { time_interval_in_seconds: 3_600 },
  }),
  answered('a provider can not do what it can', '/box-connectivity-commands/network-detach', {
    status: 409,
    problem: '/problems/resource-conflict',
    method: 'POST',
  }),
  answered('a connectivity command has no connection', '/box-connectivity-commands/network-detach', {
    status: 504,
    problem: `${VEHICLE}/no-connection`,
    method: 'POST',
  }),
  answered('a command conflicts with none', '/commands/lock-central-lock', {
    status: 409,
    problem: `${VEHICLE}/conflicting-command`,
    method: 'POST',
    needsNoOther: true,
  }),
  answered('a vehicle that stands is moving', '/commands/lock-central-lock', {
    status: 409,
    problem: `${VEHICLE}/conflicting-state`,
    method: 'POST',
    detail: 'The vehicle is moving.',
  }),
  answered('the service fails though nothing is broken', '', {
    status: 500,
    problem: '/problems/internal-server-error',
  }),
  {
    name: 'a box that has just said that it restarts is asked',
    checker: 'guards-hold',
    plant(history) {
      const { vehicle } = history.vehicles[0] as VehicleRecording;
      const path = `/vehicles/${vehicle.vehicleId}/box-commands`;
      addReset(history, path);
      const status = { vehicle, method: 'POST', path: `${path}/request-system-status`, status: 504 };
      return [`call ${addCall(history, { ...status, problem: `${VEHICLE}/no-connection` })},`];
    },
  },
  {
    name: 'a box that has just said that it restarts is asked, and answers when it is back',
    checker: 'guards-hold',
    plant(history) {
      const { vehicle } = history.vehicles[0] as VehicleRecording;
      const path = `/vehicles/${vehicle.vehicleId}/box-commands`;
      addReset(history, path);
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      const fact = { kind: 'connectivity', vehicle: vehicle.number, state: 'connected' } as const;
      history.facts.push({ ...fact, atMs: answeredMs + 2_000 });
      const status = { vehicle, method: 'POST', path: `${path}/request-system-status`, status: 504 };
      const times = { askedMs: answeredMs + 500, answeredMs: answeredMs + 20_500 };
      return [`call ${addCall(history, { ...status, ...times, problem: `${VEHICLE}/no-connection` })},`];
    },
  },
];

/** A reset that the box has carried out. */
function addReset(history: RunRecordings, path: string): void {
  const told = history.vehicles[0] as VehicleRecording;
  const { vehicle } = told;
  addCall(history, { vehicle, method: 'POST', path: `${path}/board-reset`, status: 204 });
  const atMs = (history.calls.at(-1) as AnsweredCall).answeredMs - 50;
  const requestId = 'RESET';
  const frame = { epoch: 5, sequence: 0, clockMs: atMs, atMs };
  const request = { kind: 'command', command: 'board-reset', requestId, expiresMs: atMs + 20_000 } as const;
  told.frames.push(
    { ...frame, direction: 'down', message: request },
    { ...frame, direction: 'up', message: { kind: 'reply', requestId, outcome: 'done', error: '' } },
  );
}

/** One more answer about the first vehicle. */
function answered(
  name: string,
  below: string,
  { needsNoOther = false, ...answer }: Answer & { readonly needsNoOther?: boolean },
): PlantedFault {
  return {
    name,
    checker: 'guards-hold',
    plant(history) {
      const told = history.vehicles[0] as VehicleRecording;
      const { vehicle } = told;
      if (needsNoOther) {
        // A minute later, when whatever was sent is past its expiry.
        const { answeredMs } = history.calls.at(-1) as AnsweredCall;
        addCall(history, { answeredMs: answeredMs + 120_000, askedMs: answeredMs + 119_900 });
      }
      const path = `/vehicles/${vehicle.vehicleId}${below}`;
      return [`call ${addCall(history, { vehicle, path, ...answer })},`];
    },
  };
}
