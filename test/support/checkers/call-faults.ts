import { findFeature } from '../../../backend/configuration/features.ts';
import type { AnsweredCall } from '../../../judge/evidence/evidence.ts';
import { settingsInForce } from '../../../scenarios/testbed/common/evidence.ts';
import { configurationOf, type RunRecordings, ulidOf, type VehicleRecording } from './any-recordings.ts';
import {
  addCall,
  type PlantedFault,
  pickAct,
  pickCommand,
  pickMessage,
  pickVehicle,
} from './change-recordings.ts';

/** Every way in which the books of calls and of what is done at their command can disagree. */
export const CALL_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a command is carried out twice',
    checker: 'commands-at-most-once',
    plant(history, pick) {
      const { told, act } = pickAct(history, pick);
      told.acted.push({ ...act, atMs: act.atMs + 3_000 });
      return ['twice', act.requestId, told.vehicle.boxId ?? ''];
    },
  },
  {
    name: 'a command is carried out behind its expiry',
    checker: 'commands-at-most-once',
    plant(history, pick) {
      const { told, act } = pickAct(history, pick);
      told.acted[told.acted.indexOf(act)] = { ...act, atMs: act.atMs + 3_600_000 };
      return ['too late', act.requestId];
    },
  },
  {
    name: 'a box does what nobody asked for',
    checker: 'commands-at-most-once',
    plant(history, pick) {
      const { told, act } = pickAct(history, pick);
      told.acted.push({ ...act, requestId: ulidOf(900_000) });
      return ['unasked', ulidOf(900_000)];
    },
  },
  {
    name: 'a success is answered, and the box did nothing',
    checker: 'answers-agree',
    plant(history, pick) {
      const { told, call } = pickCommand(history, pick, 'not-sent');
      history.calls[history.calls.indexOf(call)] = { ...call, status: 204 };
      return [`call ${call.call}`, 'a success that was none', told.vehicle.vehicleId];
    },
  },
  {
    name: 'a success is answered, and the outputs did not move',
    checker: 'answers-agree',
    plant(history, pick) {
      const { told, call } = pickCommand(history, pick, 'done');
      told.acted = told.acted.filter(({ atMs }) => atMs < call.askedMs || atMs > call.answeredMs);
      return [`call ${call.call}`, 'moved nothing'];
    },
  },
  {
    name: 'a refusal is answered, and the box did it',
    checker: 'answers-agree',
    plant(history, pick) {
      const { call } = pickCommand(history, pick, 'done');
      history.calls[history.calls.indexOf(call)] = { ...call, status: 409 };
      return [`call ${call.call}`, 'was carried out'];
    },
  },
  {
    name: "a 504 says 'did not connect', and the box did it",
    checker: 'answers-agree',
    plant(history, pick) {
      const { call } = pickCommand(history, pick, 'done');
      const detail = 'The vehicle did not connect; nothing was sent to it.';
      history.calls[history.calls.indexOf(call)] = { ...call, status: 504, detail };
      return [`call ${call.call}`, 'was carried out'];
    },
  },
  ...jobFaults(),
  {
    name: 'a token is taken behind its end',
    checker: 'tokens-expire',
    plant: (history) => [`call ${addCall(history, { token: { endsMs: 1 } })}`, 'after its time'],
  },
  {
    name: 'a token is refused before its end',
    checker: 'tokens-expire',
    plant: (history) => [`call ${addCall(history, { status: 401 })}`, 'before its time'],
  },
  {
    name: 'a forged token is taken',
    checker: 'tokens-expire',
    plant(history) {
      const { token: _none, ...call } = history.calls.at(-2) as AnsweredCall;
      history.calls.push({ ...call, call: 99, as: 'forged', status: 200 });
      return ['call 99', 'forged'];
    },
  },
  {
    name: 'a list names a vehicle of another fleet',
    checker: 'fleets-apart',
    // And none of its own.
    also: ['reads-agree'],
    plant(history) {
      const call = addCall(history, { path: '/vehicles?limit=5', body: { items: [{ id: 'VEH02' }] } });
      return [`call ${call}`, 'VEH02', 'PARTNER'];
    },
  },
  {
    name: 'a stranger sees a vehicle',
    checker: 'fleets-apart',
    plant: (history) => [`call ${addCall(history, { path: '/vehicles/VEH01', as: 'stranger' })}`, 'VEH01'],
  },
  {
    name: 'a stranger is told what the box of a vehicle answered',
    checker: 'fleets-apart',
    plant(history) {
      const path = '/vehicles/VEH01/telematics-unit/firmware';
      const told = { as: 'stranger', status: 500, problem: '/problems/telematics-unit/error' };
      return [`call ${addCall(history, { path, ...told })}`, 'VEH01'];
    },
  },
  {
    name: 'a partner sees a vehicle after its sharing has ended',
    checker: 'fleets-apart',
    plant(history) {
      addCall(history, { method: 'PUT', path: '/vehicles/VEH01/sharing' });
      addCall(history, { path: '/vehicles/VEH01', as: 'partner' });
      addCall(history, { method: 'DELETE', path: '/vehicles/VEH01/sharing', status: 204 });
      return [`call ${addCall(history, { path: '/vehicles/VEH01', as: 'partner' })}`, 'VEH01'];
    },
  },
  {
    name: 'a partner configures a vehicle that is shared with it',
    checker: 'fleets-apart',
    plant(history) {
      addCall(history, { method: 'PUT', path: '/vehicles/VEH01/sharing' });
      const path = '/vehicles/VEH01/telematics-unit/feature-configuration/tracking';
      return [`call ${addCall(history, { method: 'PUT', path, as: 'partner' })}`, 'only to be seen'];
    },
  },
  {
    name: 'a message lies in a queue of another fleet',
    checker: 'fleets-apart',
    plant(history, pick) {
      const { message } = pickMessage(history, pick);
      history.messages
        .get('VehicleState_v1-stranger')
        ?.push({ ...message, queue: 'VehicleState_v1-stranger' });
      return [message.messageId, 'VehicleState_v1-stranger'];
    },
  },
  {
    name: 'something holds more than its bound',
    checker: 'within-bounds',
    plant(history) {
      history.levels.push({ name: 'outbox', most: 11, bound: 10 });
      return ['outbox', '11', '10'];
    },
  },
  {
    name: 'something does not settle',
    checker: 'heals',
    plant(history) {
      history.unhealed.push({ what: 'the journal of the box', reason: 'it holds 3 records', vehicle: 1 });
      return ['the journal of the box', 'VEH01', 'it holds 3 records'];
    },
  },
];

/** Service and box of that vehicle agree on these parameters of tracking; returns one of their words. */
function putInForce(history: RunRecordings, index: number, given: object): string {
  const told = history.vehicles[index] as VehicleRecording;
  const parameters = findFeature('tracking')?.parameters.parse(given) ?? {};
  const features = { tracking: { revision: 1, parameters } };
  told.inForce = { revision: 1, features, settings: settingsInForce(features) };
  told.configuration = configurationOf(told.inForce);
  return JSON.stringify(parameters).slice(1, -1);
}

function setupFaults(): readonly PlantedFault[] {
  const checker = 'one-result-per-vehicle';
  const ask = (history: RunRecordings, told: VehicleRecording, status: string) =>
    addCall(history, {
      path: `/vehicles/${told.vehicle.vehicleId}`,
      as: told.vehicle.group.fleet === 'own' ? 'owner' : 'partner',
      body: { setup_status: status },
    });
  return [
    {
      name: 'a setup fails without a reason',
      checker,
      plant(history) {
        const told = history.vehicles[0] as VehicleRecording;
        told.setup = { status: 'FAILED', detail: '' };
        for (const [queue] of history.messages) history.messages.set(queue, []);
        for (const one of history.vehicles)
          one.records = one.records.map((record) => ({ ...record, messageIds: [] }));
        return ['a failure without a reason', 'VEH01'];
      },
    },
    {
      name: 'a setup ends otherwise than it was told to have ended',
      checker,
      plant(history, pick) {
        const { told } = pickVehicle(history, pick);
        const call = ask(history, told, 'FAILED');
        return ['ended twice', told.vehicle.vehicleId, `call ${call}`];
      },
    },
    {
      name: 'a setup ends twice, as two answers tell',
      checker,
      plant(history, pick) {
        const { told } = pickVehicle(history, pick);
        ask(history, told, 'SUCCEEDED');
        const call = ask(history, told, 'RUNNING');
        return ['ended twice', told.vehicle.vehicleId, `call ${call}`];
      },
    },
    {
      name: 'a setup waits for a minute though its box is ready',
      checker,
      plant(history) {
        const told = history.vehicles[0] as VehicleRecording;
        const { vehicle } = told;
        const { vehicleId: id } = vehicle;
        const as = vehicle.group.fleet === 'own' ? 'owner' : 'partner';
        const body = { id, setup_status: 'PENDING' };
        const made = addCall(history, { vehicle, as, method: 'POST', path: '/vehicles', status: 201, body });
        const { answeredMs = 0 } = history.calls.find(({ call }) => call === made) ?? {};
        const times = { askedMs: answeredMs + 60_000, answeredMs: answeredMs + 60_010 };
        const call = addCall(history, {
          vehicle,
          as,
          method: 'GET',
          path: `/vehicles/${id}`,
          body,
          ...times,
        });
        return ['a setup that does not begin', id, `call ${call}`];
      },
    },
    {
      name: 'a message tells the state of a vehicle that is not set up',
      checker,
      plant(history, pick) {
        const { told } = pickVehicle(history, pick);
        told.setup = { status: 'RUNNING', detail: '' };
        return ['not set up', told.vehicle.vehicleId];
      },
    },
  ];
}

function jobFaults(): readonly PlantedFault[] {
  const checker = 'one-result-per-vehicle';
  type Job = RunRecordings['jobs'][number];
  const change = (history: RunRecordings, changed: (job: Job) => Partial<Job>): void => {
    const [job] = history.jobs;
    if (job !== undefined) history.jobs[0] = { ...job, ...changed(job) };
  };
  return [
    {
      name: 'a vehicle of a job has no item',
      checker,
      plant(history) {
        change(history, ({ items }) => ({ items: items.slice(1) }));
        return ['no item', 'VEH01', 'JOB'];
      },
    },
    {
      name: 'a vehicle of a job has two items',
      checker,
      plant(history) {
        change(history, ({ items }) => ({ items: [...items, ...items.slice(0, 1)] }));
        return ['2 items', 'VEH01'];
      },
    },
    {
      name: 'a job that is over has a pending vehicle',
      checker,
      // It was tried once, an hour ago.
      also: ['bulk-in-time'],
      plant(history) {
        history.calls = history.calls.filter(({ path }) => !path.endsWith('/JOB'));
        change(history, ({ items }) => ({
          items: items.map((item, index) => (index === 0 ? { ...item, status: 'PENDING' } : item)),
        }));
        change(history, ({ counts }) => ({ counts: { ...counts, pending: 1, applied: counts.applied - 1 } }));
        return ['pending', 'VEH01'];
      },
    },
    {
      name: 'a result changes after it was told',
      checker,
      plant(history) {
        change(history, ({ items }) => ({
          items: items.map((item, index) =>
            index === 0 ? { ...item, status: 'FAILED', reason: 'x' } : item,
          ),
        }));
        change(history, ({ counts }) => ({ counts: { ...counts, failed: 2, applied: counts.applied - 1 } }));
        return ['changed', 'VEH01'];
      },
    },
    {
      name: 'a vehicle counts as applied, and its box never did it',
      checker,
      plant(history) {
        const told = history.vehicles[0] as VehicleRecording;
        told.frames = told.frames.map((frame) =>
          frame.message.kind === 'configuration'
            ? { ...frame, message: { ...frame.message, requestId: ulidOf(900_001) } }
            : frame,
        );
        return ['VEH01', "never answered a configuration with 'done'"];
      },
    },
    {
      name: 'a vehicle of a job fails without a reason',
      checker,
      plant(history) {
        change(history, ({ items }) => ({
          items: items.map(({ reason: _none, ...item }) => item),
        }));
        return ['a failure without a reason', 'VEH02', 'JOB'];
      },
    },
    {
      name: 'a vehicle counts as applied, and has the reason of a failure',
      checker,
      plant(history) {
        change(history, ({ items }) => ({ items: items.map((item) => ({ ...item, reason: 'overtaken' })) }));
        return ['a reason without a failure', 'VEH01', 'overtaken'];
      },
    },
    {
      name: 'a job counts what its items are not',
      checker,
      plant(history) {
        change(history, ({ counts }) => ({ counts: { ...counts, applied: counts.applied + 1 } }));
        return ['miscounts', 'JOB'];
      },
    },
    {
      name: 'a box has a setting that nobody has on record',
      checker,
      plant(history, pick) {
        const { told } = pickVehicle(history, pick);
        told.configuration = { ...told.configuration, 'tracking.timeIntervalS': 31 };
        return ['in force otherwise', told.vehicle.vehicleId, 'tracking.timeIntervalS 31', '30'];
      },
    },
    {
      name: 'a box has another revision than the one on record',
      checker,
      plant(history, pick) {
        const { told } = pickVehicle(history, pick);
        told.configuration = { ...told.configuration, revision: 2 };
        return ['in force otherwise', told.vehicle.vehicleId, 'revision 2'];
      },
    },
    {
      name: 'a vehicle counts as applied, and something else is in force in it',
      checker,
      plant: (history) => [
        `VEH01`,
        'otherwise than told',
        putInForce(history, 0, { time_interval_in_seconds: 45 }),
      ],
    },
    {
      name: 'a vehicle counts as refused, and what was asked for is in force in it',
      checker,
      plant(history) {
        // Deactivated first, and then refused by the box: off is what is left.
        const path = '/vehicles/VEH01/telematics-unit/feature-configuration/tracking';
        const vehicle = (history.vehicles[0] as VehicleRecording).vehicle;
        addCall(history, { method: 'DELETE', path, vehicle, status: 204 });
        addCall(history, { method: 'PUT', path, vehicle, status: 409 });
        return ['VEH01', 'otherwise than told', 'null'];
      },
    },
    ...setupFaults(),
  ];
}
