import { BULK_PATH, SUBSCRIPTIONS_PATH } from '../../../contract/operation.ts';
import { IMAGE_KINDS } from '../../../simulator/firmware/update/image.ts';
import { BREAKS } from '../../language/steps/breaks.ts';
import { CALLS } from '../../language/steps/calls.ts';
import { canDo } from '../../language/steps/vehicle-acts.ts';
import { type DrawnPart, drawnAct, drawnOne, drawnSettings } from '../../language/vary/step-action.ts';
import { BOX_OPERATIONS } from './box-operations.ts';
import { later, type OperationRow, type TimedStep } from './operation.ts';
import type { OperationName } from './operation-names.ts';
import {
  ASKING,
  BOX_COMMANDS,
  MESSAGE_TOPICS,
  ownersUse,
  partnerUse,
  READ_PATHS,
  RESETS,
  recordChange,
  VEHICLE_COMMANDS,
} from './uses.ts';

/** The daily work of clients and people with a fleet. Each row is a choice of `--focus`. */
export const OPERATIONS: Readonly<Record<OperationName, OperationRow>> = {
  commands: {
    does: 'Commands to vehicles and to boxes, now and then two at once.',
    share: 6,
    needs: ['box', 'maker', 'partner'],
    draw(source, { atMs, preferred }, on) {
      const names = source.whole(0, 3) === 3 ? BOX_COMMANDS : VEHICLE_COMMANDS;
      const send = (): DrawnPart => ({
        ...on,
        call: { command: source.whole(0, 3) === 0 ? preferred : drawnOne(source, names) },
      });
      const first = { atMs, step: send() };
      // A reset, and calls to the box while it is away for it.
      if (source.whole(0, 7) === 7)
        return [
          { atMs, step: { ...on, call: { command: drawnOne(source, RESETS) } } },
          ...Array.from({ length: source.whole(1, 3) }, () => ({
            atMs: atMs + source.whole(1, 20_000),
            step: send(),
          })),
        ];
      if (source.whole(0, 3) < 3) return [first];
      return [first, { atMs: atMs + source.whole(0, 4_000), step: send() }];
    },
  },
  connectivity: {
    does: 'A SIM card is detached, or suspended and activated again.',
    share: 1,
    needs: ['box'],
    draw(source, context, on) {
      const { atMs } = context;
      if (source.whole(0, 1) === 0) return [{ atMs, step: { ...on, call: { command: 'network-detach' } } }];
      // A provider that fails: a missing effect is no success.
      if (context.breaks['sim_provider']?.includes('outage') === true && source.whole(0, 2) === 2)
        return [
          {
            atMs,
            step: {
              break: { sim_provider: { outage: drawnSettings(source, BREAKS.sim_provider.outage) } },
              for: '20s',
            },
          },
          { atMs: atMs + 1, step: { ...on, call: { command: 'request-sim-suspension' } } },
          {
            atMs: atMs + 30_000 + source.whole(0, 30_000),
            step: { ...on, call: { command: 'request-sim-activation' } },
          },
        ];
      return [
        { atMs, step: { ...on, call: { command: 'request-sim-suspension' } } },
        { atMs: later(source, context), step: { ...on, call: { command: 'request-sim-activation' } } },
      ];
    },
  },
  configuration: {
    does: 'Features are configured, configured again, deactivated and read.',
    share: 4,
    needs: ['box'],
    draw(source, context, on) {
      const { atMs } = context;
      const configure = { ...on, call: { configure: drawnSettings(source, CALLS.configure) } };
      switch (source.whole(0, 3)) {
        case 0:
          return [{ atMs, step: configure }];
        case 1:
          return [{ atMs, step: { ...on, call: { deactivate: drawnSettings(source, CALLS.deactivate) } } }];
        case 2:
          return [
            { atMs, step: configure },
            {
              atMs: atMs + source.whole(0, 20_000),
              step: { ...on, call: { configure: drawnSettings(source, CALLS.configure) } },
            },
          ];
        default:
          return [
            { atMs, step: configure },
            { atMs: later(source, context), step: { ...on, call: { get: READ_PATHS[2] } } },
          ];
      }
    },
  },
  bulk: {
    does: 'One job configures many vehicles, sometimes a second one while it runs.',
    share: 2,
    needs: ['box'],
    draw(source, context) {
      const { atMs } = context;
      const on = { on: { fraction: source.whole(3, 10) / 10 } };
      const job = (): DrawnPart => ({ ...on, call: { bulk: drawnSettings(source, CALLS.bulk) } });
      const look = { call: { get: `${BULK_PATH}/{job}` } };
      const jobs = [{ atMs, step: job() }];
      if (source.whole(0, 2) === 2) jobs.push({ atMs: later(source, context), step: job() });
      return [...jobs, { atMs: later(source, context), step: look }];
    },
  },
  sharing: {
    does: 'A vehicle is shared with another fleet, which looks at it and uses it, until that ends, and after.',
    share: 2,
    needs: ['box', 'maker'],
    draw(source, context, on) {
      const uses = (from: number, most: number): readonly TimedStep[] =>
        Array.from({ length: source.whole(1, 3) }, () => ({
          atMs: from + source.whole(0, most),
          step: { ...on, call: { ...partnerUse(source), as: 'partner' } },
        }));
      const { atMs } = context;
      const endMs = later(source, context);
      const owners = Array.from({ length: source.whole(0, 2) }, () => ({
        atMs: atMs + source.whole(1, Math.max(1, endMs - atMs)),
        step: { ...on, call: ownersUse(source) },
      }));
      return [
        { atMs, step: { ...on, call: { share: 'partner' } } },
        ...uses(atMs + 1, Math.max(1, endMs - atMs)),
        ...owners,
        { atMs: endMs, step: { ...on, call: { unshare: {} } } },
        ...uses(endMs + 1, 5_000),
      ];
    },
  },
  tokens: {
    does: 'A token is kept and used until after its time.',
    share: 2,
    needs: ['box', 'maker'],
    draw(source, context, on) {
      const { atMs, number, endMs } = context;
      const as = drawnOne(source, ['owner', 'partner', 'reader', 'operator']);
      const kept = `token-${number}`;
      const moments = [later(source, context), atMs + source.whole(0, Math.max(1, endMs - atMs))];
      // Just before its end, and just after.
      if (endMs - atMs > TOKEN_LIFE_MS + 60_000)
        moments.push(atMs + TOKEN_LIFE_MS + source.whole(-5_000, 5_000), atMs + TOKEN_LIFE_MS + 60_000);
      return [
        { atMs, step: { call: { token: kept, as } } },
        ...moments
          .map((ms) => Math.max(atMs + 1, ms))
          .map((ms) => ({
            atMs: ms,
            step: { ...on, call: { get: drawnOne(source, READ_PATHS), as, bearer: kept } },
          })),
      ];
    },
  },
  subscriptions: {
    does: 'A client subscribes to messages, and deletes its subscription, and makes it again.',
    share: 2,
    needs: ['box', 'maker'],
    draw(source, context) {
      const as = drawnOne(source, ['owner', 'partner']);
      const name = `queue-${source.whole(1, 3)}`;
      const topics = MESSAGE_TOPICS.filter((_, index) => index === 0 || source.whole(0, 1) === 1);
      const make = { call: { subscribe: { name, topics }, as } };
      const endMs = later(source, context);
      const { atMs } = context;
      return [
        { atMs, step: make },
        { atMs: atMs + source.whole(1, 30_000), step: { call: { get: SUBSCRIPTIONS_PATH, as } } },
        { atMs: endMs, step: { call: { unsubscribe: name, as } } },
        {
          atMs: endMs + source.whole(0, 60_000),
          step: { call: { get: SUBSCRIPTIONS_PATH, as } },
        },
        ...(source.whole(0, 1) === 1 ? [{ atMs: endMs + source.whole(0, 30_000), step: make }] : []),
      ];
    },
  },
  onboarding: {
    does: 'A box from the shelf gets a vehicle, which is commanded, and deleted.',
    share: 2,
    needs: ['shelf'],
    draw(source, context, on) {
      const { atMs } = context;
      const endMs = later(source, context);
      return [
        { atMs, step: { ...on, call: { onboard: {} } } },
        {
          atMs: atMs + source.whole(1, Math.max(1, endMs - atMs)),
          step: { ...on, call: { command: drawnOne(source, VEHICLE_COMMANDS) } },
        },
        ...(source.whole(0, 2) > 0 ? [{ atMs: endMs, step: { ...on, call: { offboard: {} } } }] : []),
        ...(source.whole(0, 2) > 1
          ? [{ atMs: endMs + source.whole(0, 30_000), step: { ...on, call: { onboard: {} } } }]
          : []),
      ];
    },
  },
  access: {
    does: 'Clients without the permission, of another fleet or without a token ask for what they must not have.',
    share: 2,
    needs: ['box', 'maker', 'partner'],
    draw(source, { atMs }, on) {
      const as = drawnOne(source, [...ASKING, 'partner', 'stranger', 'nobody', 'forged']);
      const call = drawnOne<DrawnPart>(source, [
        { get: READ_PATHS[0] },
        { get: READ_PATHS[1] },
        { command: drawnOne(source, VEHICLE_COMMANDS) },
        { command: drawnOne(source, BOX_COMMANDS) },
        { command: drawnOne(source, ['network-detach', 'request-sim-activation']) },
        { configure: CALLS.configure.example },
        { bulk: CALLS.bulk.example },
        { patch: CALLS.patch.example },
        { share: 'partner' },
        { get: READ_PATHS[2] },
      ]);
      return [{ atMs, step: { ...on, call: { ...call, as } } }];
    },
  },
  record: {
    does: "A vehicle's record is changed, often in two places at once, and read.",
    share: 1,
    needs: ['box', 'maker'],
    draw(source, context, on) {
      const { atMs } = context;
      const change = () => ({ ...on, call: { patch: recordChange(source) } });
      const changes = Array.from({ length: source.whole(0, 3) }, () => ({
        atMs: atMs + source.whole(0, 1) * source.whole(0, 2_000),
        step: change(),
      }));
      return [
        { atMs, step: change() },
        ...changes,
        { atMs: later(source, context), step: { ...on, call: { get: READ_PATHS[0] } } },
      ];
    },
  },
  driving: {
    does: 'The vehicle is driven, parked, opened and closed, or has an incident.',
    share: 5,
    needs: ['box'],
    draw(source, context, on) {
      const { atMs } = context;
      const acts = context.acts.filter((name) => canDo('box', name));
      if (acts.length > 0 && source.whole(0, 2) > 0)
        return [{ atMs, step: { ...on, ...drawnAct(source, acts).action } }];
      return [
        { atMs, step: { ...on, drive: {} } },
        { atMs: later(source, context), step: { ...on, park: {} } },
      ];
    },
  },
  ...BOX_OPERATIONS,
  maker: {
    does: "Vehicles with their maker's telematics drive, sleep and are commanded.",
    share: 1,
    needs: ['maker'],
    draw(source, context, on) {
      const { atMs } = context;
      const act = drawnOne<DrawnPart>(source, [
        { drive: {} },
        { park: {} },
        { ignition: { on: true } },
        { 'lock-motor': { works: source.whole(0, 1) === 1 } },
        { sleep: { asleep: source.whole(0, 1) === 1 } },
      ]);
      return [
        { atMs, step: { ...on, ...act } },
        {
          atMs: later(source, context),
          step: { ...on, call: { command: drawnOne(source, VEHICLE_COMMANDS) } },
        },
      ];
    },
  },
  updates: {
    does: 'A box is offered another firmware, and its vehicle is parked for the installation.',
    share: 1,
    needs: ['box'],
    draw(source, context, on) {
      const { atMs } = context;
      const version = `2.${source.whole(10, 40)}`;
      const image = drawnOne(source, ['right', 'right', ...IMAGE_KINDS]);
      return [
        { atMs, step: { ...on, update: { version, image } } },
        { atMs: later(source, context), step: { ...on, park: {} } },
      ];
    },
  },
};

const TOKEN_LIFE_MS = 3_600_000;
