import { queueName } from '../../../../backend/events/topics.ts';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import type { MakerBehaviour } from '../../../../simulator/maker-cloud/behaviour.ts';
import type { Break, PartName } from '../../../language/steps/breaks.ts';
import { MAKER } from '../names.ts';
import type { WakeUpFault } from '../service-runner.ts';
import { CLIENT_ID } from '../testbed-service-settings.ts';
import { answersWith, hasPower, isUp, missesSomething, records, setsUpOrRecords } from './box-probes.ts';
import type { FaultTargets, PartTargets } from './fault-targets.ts';
import type { InterruptedWrite } from './flash-faults.ts';
import {
  type AnyLaid,
  always,
  asked,
  atOnce,
  type Counting,
  counted,
  countedBy,
  type Laid,
  laid,
  type Met,
  probed,
} from './struck.ts';
import { BREAK_STRUCK as STRUCK } from './struck-rows.ts';

/** The boxes with the break, and whether it ends after a while (`for`). */
export interface BreakContext {
  readonly boxIds: readonly string[];
  readonly isTimed: boolean;
}

/** Breaks something. What it returns, or resolves with, mends it. */
type ApplyBreak<Settings, Targets> = (
  faultTargets: Targets,
  context: BreakContext,
  settings: Settings,
) => AnyLaid | Promise<AnyLaid>;

type BreakTable<Part extends PartName> = {
  readonly [B in Extract<Break, { readonly part: Part }> as B['name']]: ApplyBreak<
    B['settings'],
    TargetsOf<Part>
  >;
};

/** Which parts can be broken while others run that are not of the testbed. */
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

/** The key of the reasons why a backend is down; that of all is that of the only one. */
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

/** Has a box reset in some way, which one without power does not notice. */
function resetEach<Settings>(
  act: (box: FleetBox, settings: Settings) => void,
): ApplyBreak<Settings, BoxTargets> {
  return ({ boxOf, probe }, { boxIds }, settings) =>
    probed(probe, boxIds, hasPower, STRUCK.box.reset.missed, () => {
      for (const box of boxIds.flatMap((boxId) => boxOf(boxId) ?? [])) act(box, settings);
      return undefined;
    });
}

function interruptWrite(
  { flashFaults }: Pick<FaultTargets, 'flashFaults'>,
  boxIds: readonly string[],
  kind: InterruptedWrite,
): Laid {
  let struck = 0;
  const disarm = flashFaults.interruptNext(boxIds, kind, () => {
    struck += 1;
  });
  return laid(() => struck, STRUCK.box['torn-write'].missed, disarm);
}

function hinderWakeUps(
  service: FaultTargets['service'],
  which: number | undefined,
  fault: WakeUpFault,
): Laid {
  return ofSeveral(service.hinderWakeUps?.(which, fault), STRUCK.backend.wake_ups_lost.missed);
}

/** `begun` absent: there is one backend only. */
function ofSeveral(begun: Counting | undefined, missed: string): Laid {
  return begun === undefined ? never(NOT_SEVERAL) : countedBy(begun, missed);
}

/** It does nothing here, and says why. */
function never(missed: string): Laid {
  return atOnce(0, missed);
}

/** Where the sessions of those who are away cannot be seen, one of them may have been met. */
function countedAtBroker(
  { mqttBroker }: FaultTargets['world'],
  missed: string,
  begin: () => (() => void) | undefined,
): Laid {
  const counting = counted(() => mqttBroker.metCount, missed, begin);
  const met = (): Met => {
    const count = counting.met();
    return count === 0 && mqttBroker.hidesSessions === true
      ? { unknown: STRUCK.broker.restart.notOverSockets }
      : count;
  };
  return laid(met, missed, () => counting.end());
}

function disturbBackend(
  { world: { networkFaults }, service }: Pick<FaultTargets, 'world' | 'service'>,
  how: 'half_open' | 'stall',
): Laid {
  if (service.backends > 1) return never(MANY_SESSIONS);
  return counted(
    () => networkFaults.countsOf(CLIENT_ID).packets,
    STRUCK.backend[how].missed,
    () => networkFaults.apply(how, CLIENT_ID, {}),
  );
}

const MAKER_BEHAVIOURS: Readonly<Record<string, MakerBehaviour['calls']>> = {
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
      probed(probe, boxIds, hasPower, STRUCK.box['power-loss'].missed, () => layers.supply.add(boxIds, true)),
    'flash-full': ({ layers, probe }, { boxIds }) =>
      probed(probe, boxIds, records, STRUCK.box['flash-full'].missed, () =>
        layers.flashFull.add(boxIds, true),
      ),
    'torn-write': (faultTargets, { boxIds }) => interruptWrite(faultTargets, boxIds, 'torn'),
    'lost-write': (faultTargets, { boxIds }) => interruptWrite(faultTargets, boxIds, 'lost'),
    'flash-slow': ({ flashFaults }, { boxIds }, { by }) =>
      counted(
        () => flashFaults.slowWritesOf(boxIds),
        STRUCK.box['flash-slow'].missed,
        () => flashFaults.addSlow(boxIds, by),
      ),
    'clock-drift': ({ layers }, { boxIds }, { ppm }) =>
      atOnce(ppm !== 0, STRUCK.box['clock-drift'].missed, layers.clockDrift.add(boxIds, ppm)),
    'clock-jump': ({ boxOf }, { boxIds }, { by }) => {
      for (const boxId of boxIds) boxOf(boxId)?.jumpClock(by);
      return atOnce(by !== 0, STRUCK.box['clock-jump'].missed);
    },
    'gnss-lost': ({ layers, probe }, { boxIds }) =>
      probed(probe, boxIds, isUp, STRUCK.box['gnss-lost'].missed, () => layers.noGnss.add(boxIds, true)),
    wipe: ({ boxOf }, { boxIds }) => {
      for (const boxId of boxIds) boxOf(boxId)?.wipe();
      return always();
    },
    hang: ({ layers, probe }, { boxIds }) =>
      probed(probe, boxIds, missesSomething, STRUCK.box.hang.missed, () => layers.hang.add(boxIds, true)),
    error: ({ layers, probe }, { boxIds }, { text, once }) =>
      probed(probe, boxIds, answersWith(text), STRUCK.box.error.missed, () =>
        layers.error.add(boxIds, { text, isPassing: once }),
      ),
    card: ({ cardSwaps }, { boxIds }, { provider, recorded }) => cardSwaps.begin(boxIds, provider, recorded),
    installation: ({ layers, probe }, { boxIds }, { obstacle }) =>
      probed(probe, boxIds, setsUpOrRecords, STRUCK.box.installation.missed, () =>
        layers.installation.add(boxIds, obstacle),
      ),
  },
  broker: {
    restart: ({ world, layers }, { isTimed }, { sessions }) =>
      countedAtBroker(world, STRUCK.broker.restart.missed, () => {
        world.mqttBroker.restart({ isPersistent: sessions === 'kept' });
        return isTimed ? layers.brokerDown.add(ONLY_KEYS, true) : undefined;
      }),
    'no-majority': ({ world, layers }) =>
      countedAtBroker(world, STRUCK.broker['no-majority'].missed, () =>
        layers.brokerInMinority.add(ONLY_KEYS, true),
      ),
  },
  exchange: {
    down: ({ world, layers }) =>
      counted(
        () => world.amqpBroker.counts.away,
        STRUCK.exchange.down.missed,
        () => layers.exchangeDown.add(ONLY_KEYS, true),
      ),
    nack: ({ world, layers }) =>
      counted(
        () => world.amqpBroker.counts.refused,
        STRUCK.exchange.nack.missed,
        () => layers.exchangeRefusing.add(ONLY_KEYS, true),
      ),
    blocked: ({ world, layers, waitingMessages }) => {
      const heldBefore = world.amqpBroker.counts.held;
      const undo = layers.exchangeBlocked.add(ONLY_KEYS, true);
      // A backend that knows it is blocked does not even try: what it would publish waits in the store.
      const ask = async (): Promise<Met> =>
        world.amqpBroker.counts.held > heldBefore || (await waitingMessages()) > 0;
      return asked(ask, STRUCK.exchange.blocked.missed, undo);
    },
    'queue-deleted': ({ world }, _, { topic, fleet }) => {
      const wasThere = world.amqpBroker.deleteQueue?.(queueName(topic, fleet));
      return atOnce(wasThere !== false, STRUCK.exchange['queue-deleted'].missed);
    },
  },
  backend: {
    crash: ({ service, layers, crashPoints }, _, { point, which: named }) => {
      let lift: (() => void) | undefined;
      let which = named;
      // Kept down by another crash, it is so for longer.
      let wasUp = isKeptDown(layers, named);
      let hasCome = false;
      const die = (came?: number): void => {
        // Before it is told that the service is down: who comes to a point is up.
        hasCome = point !== undefined;
        which ??= service.backends > 1 ? came : undefined;
        if (service.crash(point === undefined ? 'it crashed' : `it crashed: ${point}`, which)) wasUp = true;
        lift = layers.backendDown.add([backendKey(which)], true);
      };
      const disarm = point === undefined ? die() : crashPoints.arm(point, die, named);
      return {
        met: () => hasCome || (point === undefined && wasUp),
        async end() {
          // The service may never have reached that point.
          disarm?.();
          if (lift === undefined) return `the service never came to ${point}, and did not crash`;
          lift();
          // Another crash may keep the service down for longer.
          if (!isKeptDown(layers, which)) await service.start('it was started again', which);
          return wasUp ? undefined : STRUCK.backend.crash.missed;
        },
      };
    },
    restart: async ({ service, layers }, _, { which }) => {
      let hasStopped = false;
      for (const one of service.backends === 1 ? [undefined] : numbersOf(service.backends, which)) {
        if (await service.stop('it was stopped', one)) hasStopped = true;
        if (!isKeptDown(layers, one)) await service.start('it was started again', one);
      }
      return atOnce(hasStopped, STRUCK.backend.restart.missed);
    },
    pause: ({ service }, _, { which }) => ofSeveral(service.pause?.(which), STRUCK.backend.pause.missed),
    cut_off: ({ service }, _, { from, which }) =>
      ofSeveral(service.cutOff?.(which, from), STRUCK.backend.cut_off.missed),
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
      return atOnce(cut, STRUCK.backend.cut.missed);
    },
    half_open: (faultTargets) => disturbBackend(faultTargets, 'half_open'),
    stall: (faultTargets) => disturbBackend(faultTargets, 'stall'),
  },
  store: {
    full: ({ storeFaults: store }) =>
      countedBy(store.add({ failing: 'writes', slowMs: 0 }), STRUCK.store.full.missed),
    slow: ({ storeFaults: store }, _, { by }) =>
      countedBy(store.add({ failing: 'nothing', slowMs: by }), STRUCK.store.slow.missed),
    'commit-unknown': ({ storeFaults: store }, _, { count }) =>
      countedBy(store.loseAnswers(count), STRUCK.store['commit-unknown'].missed),
    down: ({ storeFaults: store }) =>
      countedBy(store.add({ failing: 'everything', slowMs: 0 }), STRUCK.store.down.missed),
  },
  sim_provider: {
    outage: ({ layers, simProviders }, _, { provider, manner }) =>
      counted(
        () => simProviders.failedRequests(provider),
        STRUCK.sim_provider.outage.missed,
        () => layers.simProvider.add([provider], manner),
      ),
  },
  maker: {
    outage: ({ layers, makerCloud }, _, { manner, push }) =>
      counted(
        () => makerCloud()?.disturbed() ?? 0,
        STRUCK.maker.outage.missed,
        () =>
          layers.maker.add([MAKER.name], { calls: MAKER_BEHAVIOURS[manner] ?? { manner: 'right' }, push }),
      ),
  },
  access: {
    'client-deleted': ({ clientChanges }, _, { client }) => clientChanges.begin(client, 'deleted'),
    'permissions-taken': ({ clientChanges }, _, { client, permissions }) =>
      clientChanges.begin(client, new Set(permissions)),
  },
};

/** Breaks it. What it returns, or resolves with, can be asked what it has met, and mends it. */
export function breakPart(
  faultTargets: FaultTargets,
  context: BreakContext,
  broken: Break,
): AnyLaid | Promise<AnyLaid> {
  return wordOf<FaultTargets>(broken)(faultTargets, context, broken.settings);
}

/** The same of a part for which no testbed is needed. */
export function breakRunningPart(
  targets: PartTargets,
  context: BreakContext,
  broken: PartBreak,
): AnyLaid | Promise<AnyLaid> {
  return wordOf<PartTargets>(broken)(targets, context, broken.settings);
}

function wordOf<Targets>({ part, name }: Break): ApplyBreak<unknown, Targets> {
  const words = BREAK_WORDS[part] as unknown as Readonly<Record<string, ApplyBreak<unknown, Targets>>>;
  const word = words[name];
  if (word === undefined) throw new Error(`There is no break ${name} of ${part}.`);
  return word;
}
