import { queueName } from '../../../../contract/messages.ts';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import type { MakerBehaviour } from '../../../../simulator/maker-cloud/behaviour.ts';
import type { Break, PartName } from '../../../language/steps/breaks.ts';
import { MAKER } from '../names.ts';
import type { WakeUpFault } from '../service-runner.ts';
import { CLIENT_ID } from '../testbed-service-settings.ts';
import {
  type ActiveFault,
  activeFault,
  always,
  type Counting,
  counted,
  countedBy,
  type Effect,
  immediate,
  probed,
  queried,
  type SyncFault,
} from './active-fault.ts';
import { answersWith, hasPower, isUp, missesSomething, records, setsUpOrRecords } from './box-probes.ts';
import { BREAK_EFFECTS as EFFECTS } from './effect-rows.ts';
import type { FaultTargets, PartTargets } from './fault-targets.ts';
import type { InterruptedWrite } from './flash-faults.ts';

/** The boxes with the break, and whether it ends after a while (`for`). */
export interface BreakContext {
  readonly boxIds: readonly string[];
  readonly isTimed: boolean;
}

/** Breaks something. What it returns, or resolves with, repairs it. */
type ApplyBreak<Settings, Targets> = (
  faultTargets: Targets,
  context: BreakContext,
  settings: Settings,
) => ActiveFault | Promise<ActiveFault>;

type BreakTable<Part extends PartName> = {
  readonly [B in Extract<Break, { readonly part: Part }> as B['name']]: ApplyBreak<
    B['settings'],
    TargetsOf<Part>
  >;
};

/** The parts that can be broken next to running parts that are not of the testbed. */
type TargetsOf<Part extends PartName> = Part extends 'backend' | 'access'
  ? FaultTargets
  : Part extends 'box'
    ? PartTargets & Pick<FaultTargets, 'cardSwaps'>
    : PartTargets;

/** A break that needs none of the testbed's own parts. */
export type PartBreak = Exclude<
  Break,
  { readonly part: 'backend' | 'access' } | { readonly part: 'box'; readonly name: 'card' }
>;

/** Whether it needs none of the testbed's own parts: its service, its clients, its cards. */
export function isPartBreak(broken: Break): broken is PartBreak {
  return (
    broken.part !== 'backend' &&
    broken.part !== 'access' &&
    !(broken.part === 'box' && broken.name === 'card')
  );
}

/** The key for parts that exist only once. */
const ONLY_KEY = 'the one';
const ONLY_KEYS = [ONLY_KEY];

const NOT_SEVERAL = 'there is one backend, which nothing is shared with';
const MANY_SESSIONS = 'several backends have a session for each partition: pause one, or cut it off';

/** The key of the reasons why a backend is down; for all of them it is that of a single one. */
const backendKey = (which: number | undefined): string =>
  which === undefined ? ONLY_KEY : `backend ${which}`;

/** Another crash may keep it down for longer. */
function isKeptDown({ backendDown }: FaultTargets['layers'], which: number | undefined): boolean {
  return backendDown.isActive(ONLY_KEY) || (which !== undefined && backendDown.isActive(backendKey(which)));
}

function numbersOf(backends: number, which?: number): readonly number[] {
  return which === undefined ? Array.from({ length: backends }, (_, index) => index + 1) : [which];
}

type BoxTargets = Pick<FaultTargets, 'boxOf' | 'probe'>;

/** Resets each box in some way, which has no effect on one without power. */
function resetEach<Settings>(
  act: (box: FleetBox, settings: Settings) => void,
): ApplyBreak<Settings, BoxTargets> {
  return ({ boxOf, probe }, { boxIds }, settings) =>
    probed(probe, boxIds, hasPower, EFFECTS.box.reset.missed, () => {
      for (const box of boxIds.flatMap((boxId) => boxOf(boxId) ?? [])) act(box, settings);
      return undefined;
    });
}

function interruptWrite(
  { flashFaults }: Pick<FaultTargets, 'flashFaults'>,
  boxIds: readonly string[],
  kind: InterruptedWrite,
): SyncFault {
  let effects = 0;
  const disarm = flashFaults.interruptNext(boxIds, kind, () => {
    effects += 1;
  });
  return activeFault(() => effects, EFFECTS.box['torn-write'].missed, disarm);
}

function hinderWakeUps(
  service: FaultTargets['service'],
  which: number | undefined,
  fault: WakeUpFault,
): SyncFault {
  return ofSeveral(service.hinderWakeUps?.(which, fault), EFFECTS.backend.wake_ups_lost.missed);
}

/** `begun` absent: there is one backend only. */
function ofSeveral(begun: Counting | undefined, missed: string): SyncFault {
  return begun === undefined ? never(NOT_SEVERAL) : countedBy(begun, missed);
}

/** It has no effect here; `missed` says why. */
function never(missed: string): SyncFault {
  return immediate(0, missed);
}

/** Where absent clients' sessions cannot be observed, one of them may have been affected. */
function countedAtBroker(
  { mqttBroker }: FaultTargets['world'],
  missed: string,
  begin: () => (() => void) | undefined,
): SyncFault {
  const counting = counted(() => mqttBroker.metCount, missed, begin);
  const effect = (): Effect => {
    const count = counting.effect();
    return count === 0 && mqttBroker.hidesSessions === true
      ? { unknown: EFFECTS.broker.restart.notOverSockets }
      : count;
  };
  return activeFault(effect, missed, () => counting.end());
}

function disturbBackend(
  { world: { networkFaults }, service }: Pick<FaultTargets, 'world' | 'service'>,
  how: 'half_open' | 'stall',
): SyncFault {
  if (service.backends > 1) return never(MANY_SESSIONS);
  return counted(
    () => networkFaults.countsOf(CLIENT_ID).packets,
    EFFECTS.backend[how].missed,
    () => networkFaults.apply(how, CLIENT_ID, {}),
  );
}

type MakerOutage = Extract<Break, { readonly part: 'maker'; readonly name: 'outage' }>['settings'];

const MAKER_BEHAVIOURS: Readonly<Record<MakerOutage['manner'], MakerBehaviour['calls']>> = {
  error: { manner: 'error', status: 503 },
  'rate-limit': { manner: 'rate-limit', retry_after_in_seconds: 30 },
  silence: { manner: 'silence', after_acting: false },
  slow: { manner: 'slow', delay_in_milliseconds: 10_000 },
  nonsense: { manner: 'nonsense' },
};

export const BREAK_WORDS: { readonly [Part in PartName]: BreakTable<Part> } = {
  box: {
    'brown-out': ({ boxOf }, { boxIds }) => {
      for (const boxId of boxIds) boxOf(boxId)?.brownOut();
      return always();
    },
    watchdog: resetEach((box) => box.reset('WATCHDOG')),
    reset: resetEach((box, { reason }) => box.reset(reason)),
    'power-loss': ({ layers, probe }, { boxIds }) =>
      probed(probe, boxIds, hasPower, EFFECTS.box['power-loss'].missed, () =>
        layers.supply.add(boxIds, true),
      ),
    'flash-full': ({ layers, probe }, { boxIds }) =>
      probed(probe, boxIds, records, EFFECTS.box['flash-full'].missed, () =>
        layers.flashFull.add(boxIds, true),
      ),
    'torn-write': (faultTargets, { boxIds }) => interruptWrite(faultTargets, boxIds, 'torn'),
    'lost-write': (faultTargets, { boxIds }) => interruptWrite(faultTargets, boxIds, 'lost'),
    'flash-slow': ({ flashFaults }, { boxIds }, { by }) =>
      counted(
        () => flashFaults.slowWritesOf(boxIds),
        EFFECTS.box['flash-slow'].missed,
        () => flashFaults.addSlow(boxIds, by),
      ),
    'clock-drift': ({ layers }, { boxIds }, { ppm }) =>
      immediate(ppm !== 0, EFFECTS.box['clock-drift'].missed, layers.clockDrift.add(boxIds, ppm)),
    'clock-jump': ({ boxOf }, { boxIds }, { by }) => {
      for (const boxId of boxIds) boxOf(boxId)?.jumpClock(by);
      return immediate(by !== 0, EFFECTS.box['clock-jump'].missed);
    },
    'gnss-lost': ({ layers, probe }, { boxIds }) =>
      probed(probe, boxIds, isUp, EFFECTS.box['gnss-lost'].missed, () => layers.noGnss.add(boxIds, true)),
    wipe: ({ boxOf }, { boxIds }) => {
      for (const boxId of boxIds) boxOf(boxId)?.wipe();
      return always();
    },
    hang: ({ layers, probe }, { boxIds }) =>
      probed(probe, boxIds, missesSomething, EFFECTS.box.hang.missed, () => layers.hang.add(boxIds, true)),
    error: ({ layers, probe }, { boxIds }, { text, once }) =>
      probed(probe, boxIds, answersWith(text), EFFECTS.box.error.missed, () =>
        layers.error.add(boxIds, { text, isPassing: once }),
      ),
    card: ({ cardSwaps }, { boxIds }, { provider, recorded }) => cardSwaps.begin(boxIds, provider, recorded),
    installation: ({ layers, probe }, { boxIds }, { obstacle }) =>
      probed(probe, boxIds, setsUpOrRecords, EFFECTS.box.installation.missed, () =>
        layers.installation.add(boxIds, obstacle),
      ),
  },
  broker: {
    restart: ({ world, layers }, { isTimed }, { sessions }) =>
      countedAtBroker(world, EFFECTS.broker.restart.missed, () => {
        world.mqttBroker.restart({ isPersistent: sessions === 'kept' });
        return isTimed ? layers.brokerDown.add(ONLY_KEYS, true) : undefined;
      }),
    'no-majority': ({ world, layers }) =>
      countedAtBroker(world, EFFECTS.broker['no-majority'].missed, () =>
        layers.brokerInMinority.add(ONLY_KEYS, true),
      ),
  },
  exchange: {
    down: ({ world, layers }) =>
      counted(
        () => world.amqpBroker.counts.away,
        EFFECTS.exchange.down.missed,
        () => layers.exchangeDown.add(ONLY_KEYS, true),
      ),
    nack: ({ world, layers }) =>
      counted(
        () => world.amqpBroker.counts.refused,
        EFFECTS.exchange.nack.missed,
        () => layers.exchangeRefusing.add(ONLY_KEYS, true),
      ),
    blocked: ({ world, layers, waitingMessages }) => {
      const heldBefore = world.amqpBroker.counts.held;
      const undo = layers.exchangeBlocked.add(ONLY_KEYS, true);
      // A backend that knows it is blocked does not even try: its messages wait in the store.
      const ask = async (): Promise<Effect> =>
        world.amqpBroker.counts.held > heldBefore || (await waitingMessages()) > 0;
      return queried(ask, EFFECTS.exchange.blocked.missed, undo);
    },
    'queue-deleted': ({ world }, _, { topic, fleet }) => {
      const wasThere = world.amqpBroker.deleteQueue?.(queueName(topic, fleet));
      return immediate(wasThere !== false, EFFECTS.exchange['queue-deleted'].missed);
    },
  },
  backend: {
    crash: ({ service, layers, crashPoints }, _, { point, which: named }) => {
      let lift: (() => void) | undefined;
      let which = named;
      // Another crash keeps it down for longer.
      let wasUp = isKeptDown(layers, named);
      let hasCome = false;
      const die = (came?: number): void => {
        // Set before the service is reported down: a backend that comes to a point is up.
        hasCome = point !== undefined;
        which ??= service.backends > 1 ? came : undefined;
        if (service.crash(point === undefined ? 'it crashed' : `it crashed: ${point}`, which)) wasUp = true;
        lift = layers.backendDown.add([backendKey(which)], true);
      };
      const disarm = point === undefined ? die() : crashPoints.arm(point, die, named);
      return {
        effect: () => hasCome || (point === undefined && wasUp),
        async end() {
          // The service may never have reached that point.
          disarm?.();
          if (lift === undefined) return `the service never came to ${point}, and did not crash`;
          lift();
          // Another crash may keep the service down for longer.
          if (!isKeptDown(layers, which)) await service.start('it was started again', which);
          return wasUp ? undefined : EFFECTS.backend.crash.missed;
        },
      };
    },
    restart: async ({ service, layers }, _, { which }) => {
      let hasStopped = false;
      for (const one of service.backends === 1 ? [undefined] : numbersOf(service.backends, which)) {
        if (await service.stop('it was stopped', one)) hasStopped = true;
        if (!isKeptDown(layers, one)) await service.start('it was started again', one);
      }
      return immediate(hasStopped, EFFECTS.backend.restart.missed);
    },
    pause: ({ service }, _, { which }) => ofSeveral(service.pause?.(which), EFFECTS.backend.pause.missed),
    cut_off: ({ service }, _, { from, which }) =>
      ofSeveral(service.cutOff?.(which, from), EFFECTS.backend.cut_off.missed),
    wake_ups_lost: ({ service }, _, { which }) => hinderWakeUps(service, which, { fate: 'lost' }),
    wake_ups_late: ({ service }, _, { by, which }) =>
      hinderWakeUps(service, which, { fate: 'late', byMs: by }),
    cut: ({ world, service }) => {
      let cut = service.backends === 1 ? world.networkFaults.cut(CLIENT_ID) : 0;
      for (const one of service.backends === 1 ? [] : numbersOf(service.backends)) {
        const severed = service.cutOff?.(one, 'mqtt');
        severed?.remove();
        cut += severed?.count() ?? 0;
      }
      return immediate(cut, EFFECTS.backend.cut.missed);
    },
    half_open: (faultTargets) => disturbBackend(faultTargets, 'half_open'),
    stall: (faultTargets) => disturbBackend(faultTargets, 'stall'),
  },
  store: {
    full: ({ storeFaults: store }) =>
      countedBy(store.add({ failing: 'writes', slowMs: 0 }), EFFECTS.store.full.missed),
    slow: ({ storeFaults: store }, _, { by }) =>
      countedBy(store.add({ failing: 'nothing', slowMs: by }), EFFECTS.store.slow.missed),
    'commit-unknown': ({ storeFaults: store }, _, { count }) =>
      countedBy(store.loseAnswers(count), EFFECTS.store['commit-unknown'].missed),
    down: ({ storeFaults: store }) =>
      countedBy(store.add({ failing: 'everything', slowMs: 0 }), EFFECTS.store.down.missed),
  },
  sim_provider: {
    outage: ({ layers, simProviders }, _, { provider, manner }) =>
      counted(
        () => simProviders.failedRequests(provider),
        EFFECTS.sim_provider.outage.missed,
        () => layers.simProvider.add([provider], manner),
      ),
  },
  maker: {
    outage: ({ layers, makerCloud }, _, { manner, push }) =>
      counted(
        () => makerCloud()?.disturbed() ?? 0,
        EFFECTS.maker.outage.missed,
        () => layers.maker.add([MAKER.name], { calls: MAKER_BEHAVIOURS[manner], push }),
      ),
  },
  access: {
    'client-deleted': ({ clientChanges }, _, { client }) => clientChanges.begin(client, 'deleted'),
    'permissions-taken': ({ clientChanges }, _, { client, permissions }) =>
      clientChanges.begin(client, new Set(permissions)),
  },
};

/** Breaks it. The result can be queried for its effects, and repairs it. */
export function breakPart(
  faultTargets: FaultTargets,
  context: BreakContext,
  broken: Break,
): ActiveFault | Promise<ActiveFault> {
  return wordOf<FaultTargets>(broken)(faultTargets, context, broken.settings);
}

/** The same for a part that needs no testbed. */
export function breakRunningPart(
  targets: PartTargets,
  context: BreakContext,
  broken: PartBreak,
): ActiveFault | Promise<ActiveFault> {
  return wordOf<PartTargets>(broken)(targets, context, broken.settings);
}

function wordOf<Targets>({ part, name }: Break): ApplyBreak<unknown, Targets> {
  const words = BREAK_WORDS[part] as unknown as Readonly<Record<string, ApplyBreak<unknown, Targets>>>;
  const word = words[name];
  if (word === undefined) throw new Error(`There is no break ${name} of ${part}.`);
  return word;
}
