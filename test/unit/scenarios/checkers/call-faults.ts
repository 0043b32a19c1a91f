import type { AnsweredCall } from '../../../../scenarios/run/evidence.ts';
import { acted, command, type Fault, published, pushCall } from './books.ts';
import { type History, type Told, ulid } from './history.ts';

/** Every way in which the books of calls and of what is done at their command can disagree. */
export const CALL_FAULTS: readonly Fault[] = [
  {
    name: 'a command is carried out twice',
    checker: 'commands-at-most-once',
    plant(history, pick) {
      const { told, act } = acted(history, pick);
      told.acted.push({ ...act, atMs: act.atMs + 3_000 });
      return ['twice', act.requestId, told.player.boxId ?? ''];
    },
  },
  {
    name: 'a command is carried out behind its expiry',
    checker: 'commands-at-most-once',
    plant(history, pick) {
      const { told, act } = acted(history, pick);
      told.acted[told.acted.indexOf(act)] = { ...act, atMs: act.atMs + 3_600_000 };
      return ['too late', act.requestId];
    },
  },
  {
    name: 'a box does what nobody asked for',
    checker: 'commands-at-most-once',
    plant(history, pick) {
      const { told, act } = acted(history, pick);
      told.acted.push({ ...act, requestId: ulid(900_000) });
      return ['unasked', ulid(900_000)];
    },
  },
  {
    name: 'a success is answered, and the box did nothing',
    checker: 'answers-agree',
    plant(history, pick) {
      const { told, call } = command(history, pick, 'not-sent');
      history.calls[history.calls.indexOf(call)] = { ...call, status: 204 };
      return [`call ${call.call}`, 'a success that was none', told.player.vehicleId];
    },
  },
  {
    name: 'a success is answered, and the outputs did not move',
    checker: 'answers-agree',
    plant(history, pick) {
      const { told, call } = command(history, pick, 'done');
      told.acted = told.acted.filter(({ atMs }) => atMs < call.askedMs || atMs > call.answeredMs);
      return [`call ${call.call}`, 'moved nothing'];
    },
  },
  {
    name: 'a refusal is answered, and the box did it',
    checker: 'answers-agree',
    plant(history, pick) {
      const { call } = command(history, pick, 'done');
      history.calls[history.calls.indexOf(call)] = { ...call, status: 409 };
      return [`call ${call.call}`, 'was carried out'];
    },
  },
  {
    name: "a 504 says 'did not connect', and the box did it",
    checker: 'answers-agree',
    plant(history, pick) {
      const { call } = command(history, pick, 'done');
      const detail = 'The vehicle did not connect; nothing was sent to it.';
      history.calls[history.calls.indexOf(call)] = { ...call, status: 504, detail };
      return [`call ${call.call}`, 'was carried out'];
    },
  },
  ...jobFaults(),
  {
    name: 'a token is taken behind its end',
    checker: 'tokens-expire',
    plant: (history) => [`call ${pushCall(history, { token: { endsMs: 1 } })}`, 'after its time'],
  },
  {
    name: 'a token is refused before its end',
    checker: 'tokens-expire',
    plant: (history) => [`call ${pushCall(history, { status: 401 })}`, 'before its time'],
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
    plant(history) {
      const call = pushCall(history, { path: '/vehicles?limit=5', body: { items: [{ id: 'VEH02' }] } });
      return [`call ${call}`, 'VEH02', 'PARTNER'];
    },
  },
  {
    name: 'a stranger sees a vehicle',
    checker: 'fleets-apart',
    plant: (history) => [`call ${pushCall(history, { path: '/vehicles/VEH01', as: 'stranger' })}`, 'VEH01'],
  },
  {
    name: 'a stranger is told what the box of a vehicle answered',
    checker: 'fleets-apart',
    plant(history) {
      const path = '/vehicles/VEH01/telematics-unit/firmware';
      const told = { as: 'stranger', status: 500, problem: '/problems/telematics-unit/error' };
      return [`call ${pushCall(history, { path, ...told })}`, 'VEH01'];
    },
  },
  {
    name: 'a partner sees a vehicle after its sharing has ended',
    checker: 'fleets-apart',
    plant(history) {
      pushCall(history, { method: 'PUT', path: '/vehicles/VEH01/sharing' });
      pushCall(history, { path: '/vehicles/VEH01', as: 'partner' });
      pushCall(history, { method: 'DELETE', path: '/vehicles/VEH01/sharing', status: 204 });
      return [`call ${pushCall(history, { path: '/vehicles/VEH01', as: 'partner' })}`, 'VEH01'];
    },
  },
  {
    name: 'a partner configures a vehicle that is shared with it',
    checker: 'fleets-apart',
    plant(history) {
      pushCall(history, { method: 'PUT', path: '/vehicles/VEH01/sharing' });
      const path = '/vehicles/VEH01/telematics-unit/feature-configuration/tracking';
      return [`call ${pushCall(history, { method: 'PUT', path, as: 'partner' })}`, 'only to be seen'];
    },
  },
  {
    name: 'a message lies in a queue of another fleet',
    checker: 'fleets-apart',
    plant(history, pick) {
      const { message } = published(history, pick);
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

function jobFaults(): readonly Fault[] {
  const checker = 'one-result-per-vehicle';
  type Job = History['jobs'][number];
  const change = (history: History, changed: (job: Job) => Partial<Job>): void => {
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
      plant(history) {
        history.calls = history.calls.filter(({ path }) => !path.endsWith('/JOB'));
        change(history, ({ items }) => ({
          items: items.map((item, index) => (index === 0 ? { ...item, status: 'PENDING' } : item)),
        }));
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
        return ['changed', 'VEH01'];
      },
    },
    {
      name: 'a vehicle counts as applied, and its box never did it',
      checker,
      plant(history) {
        const told = history.vehicles[0] as Told;
        told.frames = told.frames.map((frame) =>
          frame.message.kind === 'configuration'
            ? { ...frame, message: { ...frame.message, requestId: ulid(900_001) } }
            : frame,
        );
        return ['VEH01', "never answered a configuration with 'done'"];
      },
    },
  ];
}
