import { queueName } from '../../../../backend/events/topics.ts';
import type { MakerBehaviour } from '../../../../simulator/maker-cloud/behaviour.ts';
import type { Break, PartName } from '../../../language/steps/breaks.ts';
import { MAKER } from '../names.ts';
import type { WakeUpFault } from '../service-runner.ts';
import { CLIENT_ID } from '../testbed-service-settings.ts';
import type { FaultTargets, PartTargets } from './fault-targets.ts';
import type { InterruptedWrite } from './flash-faults.ts';

/** The boxes with the break, and whether it ends after a while (`for`). */
export interface BreakContext {
  readonly boxIds: readonly string[];
  readonly isTimed: boolean;
}

/** Undoes a break; a text that it returns says why it has never struck. Undefined: it has already ended. */
export type UndoBreak = (() => unknown) | undefined;
type ApplyBreak<Settings, Targets> = (
  faultTargets: Targets,
  context: BreakContext,
  settings: Settings,
) => UndoBreak | Promise<UndoBreak>;

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

function onEachBox(
  act: (boxId: string, faultTargets: Pick<FaultTargets, 'boxOf'>) => void,
): ApplyBreak<unknown, Pick<FaultTargets, 'boxOf'>> {
  return (faultTargets, { boxIds }) => {
    for (const boxId of boxIds) act(boxId, faultTargets);
    return undefined;
  };
}

function interruptWrite(
  { flashFaults }: Pick<FaultTargets, 'flashFaults'>,
  boxIds: readonly string[],
  kind: InterruptedWrite,
): UndoBreak {
  let hasStruck = false;
  const disarm = flashFaults.interruptNext(boxIds, kind, () => {
    hasStruck = true;
  });
  return () => {
    disarm();
    return hasStruck ? undefined : 'no box wrote a record while it lasted';
  };
}

function hinderWakeUps(
  service: FaultTargets['service'],
  which: number | undefined,
  fault: WakeUpFault,
): UndoBreak {
  const undo = service.hinderWakeUps?.(which, fault);
  if (undo === undefined) return () => NOT_SEVERAL;
  return () => (undo() === 0 ? 'nobody committed what a backend waits for while it lasted' : undefined);
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
    'brown-out': onEachBox((boxId, { boxOf }) => boxOf(boxId)?.brownOut()),
    watchdog: onEachBox((boxId, { boxOf }) => boxOf(boxId)?.reset('WATCHDOG')),
    reset: (faultTargets, { boxIds }, { reason }) => {
      for (const boxId of boxIds) faultTargets.boxOf(boxId)?.reset(reason);
      return undefined;
    },
    'power-loss': ({ layers }, { boxIds }) => layers.supply.add(boxIds, true),
    'flash-full': ({ layers }, { boxIds }) => layers.flashFull.add(boxIds, true),
    'torn-write': (faultTargets, { boxIds }) => interruptWrite(faultTargets, boxIds, 'torn'),
    'lost-write': (faultTargets, { boxIds }) => interruptWrite(faultTargets, boxIds, 'lost'),
    'flash-slow': ({ flashFaults }, { boxIds }, { by }) => flashFaults.addSlow(boxIds, by),
    'clock-drift': ({ layers }, { boxIds }, { ppm }) => layers.clockDrift.add(boxIds, ppm),
    'clock-jump': (faultTargets, { boxIds }, { by }) => {
      for (const boxId of boxIds) faultTargets.boxOf(boxId)?.jumpClock(by);
      return undefined;
    },
    'gnss-lost': ({ layers }, { boxIds }) => layers.noGnss.add(boxIds, true),
    wipe: onEachBox((boxId, { boxOf }) => boxOf(boxId)?.wipe()),
    hang: ({ layers }, { boxIds }) => layers.hang.add(boxIds, true),
    error: ({ layers }, { boxIds }, { text, once }) => layers.error.add(boxIds, { text, isPassing: once }),
    card: ({ cardSwaps }, { boxIds }, { provider, recorded }) => cardSwaps.begin(boxIds, provider, recorded),
    installation: ({ layers }, { boxIds }, { obstacle }) => layers.installation.add(boxIds, obstacle),
  },
  broker: {
    restart: ({ world, layers }, { isTimed }, { sessions }) => {
      world.mqttBroker.restart({ isPersistent: sessions === 'kept' });
      return isTimed ? layers.brokerDown.add(ONLY_KEYS, true) : undefined;
    },
    'no-majority': ({ layers }) => layers.brokerInMinority.add(ONLY_KEYS, true),
  },
  exchange: {
    down: ({ layers }) => layers.exchangeDown.add(ONLY_KEYS, true),
    nack: ({ layers }) => layers.exchangeRefusing.add(ONLY_KEYS, true),
    blocked: ({ layers }) => layers.exchangeBlocked.add(ONLY_KEYS, true),
    'queue-deleted': ({ world }, _, { topic, fleet }) => {
      world.amqpBroker.deleteQueue?.(queueName(topic, fleet));
      return undefined;
    },
  },
  backend: {
    crash: ({ service, layers, crashPoints }, _, { point, which: named }) => {
      let lift: (() => void) | undefined;
      let which = named;
      const die = (came?: number): void => {
        which ??= service.backends > 1 ? came : undefined;
        service.crash(point === undefined ? 'it crashed' : `it crashed: ${point}`, which);
        lift = layers.backendDown.add([backendKey(which)], true);
      };
      const disarm = point === undefined ? die() : crashPoints.arm(point, die, named);
      return async () => {
        // The service may never have reached that point.
        disarm?.();
        if (lift === undefined) return `the service never came to ${point}, and did not crash`;
        lift();
        // Another crash may keep the service down for longer.
        if (!isKeptDown(layers, which)) await service.start('it was started again', which);
        return undefined;
      };
    },
    restart: async ({ service, layers }, _, { which }) => {
      for (const one of service.backends === 1 ? [undefined] : numbersOf(service.backends, which)) {
        await service.stop('it was stopped', one);
        if (!isKeptDown(layers, one)) await service.start('it was started again', one);
      }
      return undefined;
    },
    pause: ({ service }, _, { which }) =>
      service.pause === undefined ? () => NOT_SEVERAL : service.pause(which),
    cut_off: ({ service }, _, { from, which }) =>
      service.cutOff === undefined ? () => NOT_SEVERAL : service.cutOff(which, from),
    wake_ups_lost: ({ service }, _, { which }) => hinderWakeUps(service, which, { fate: 'lost' }),
    wake_ups_late: ({ service }, _, { by, which }) =>
      hinderWakeUps(service, which, { fate: 'late', byMs: by }),
    cut: ({ world, service }) => {
      if (service.backends === 1) world.networkFaults.cut(CLIENT_ID);
      for (const one of service.backends === 1 ? [] : numbersOf(service.backends))
        service.cutOff?.(one, 'mqtt')();
      return undefined;
    },
    half_open: ({ world, service }) =>
      service.backends === 1 ? world.networkFaults.apply('half_open', CLIENT_ID, {}) : () => MANY_SESSIONS,
    stall: ({ world, service }) =>
      service.backends === 1 ? world.networkFaults.apply('stall', CLIENT_ID, {}) : () => MANY_SESSIONS,
  },
  store: {
    full: ({ storeFaults: store }) => store.add({ failing: 'writes', slowMs: 0 }),
    slow: ({ storeFaults: store }, _, { by }) => store.add({ failing: 'nothing', slowMs: by }),
    'commit-unknown': ({ storeFaults: store }, _, { count }) => {
      const takeBack = store.loseAnswers(count);
      return () => (takeBack() === count ? 'nothing was written while it lasted' : undefined);
    },
    down: ({ storeFaults: store }) => store.add({ failing: 'everything', slowMs: 0 }),
  },
  sim_provider: {
    outage: ({ layers }, _, { provider, manner }) => layers.simProvider.add([provider], manner),
  },
  maker: {
    outage: ({ layers }, _, { manner, push }) =>
      layers.maker.add([MAKER.name], { calls: MAKER_BEHAVIOURS[manner] ?? { manner: 'right' }, push }),
  },
  access: {
    'client-deleted': ({ clientChanges }, _, { client }) => clientChanges.begin(client, 'deleted'),
    'permissions-taken': ({ clientChanges }, _, { client, permissions }) =>
      clientChanges.begin(client, new Set(permissions)),
  },
};

/** Applies a break. The returned function undoes it; undefined if it ended at once. */
export async function breakPart(
  faultTargets: FaultTargets,
  context: BreakContext,
  broken: Break,
): Promise<UndoBreak> {
  const words = BREAK_WORDS[broken.part] as Readonly<Record<string, ApplyBreak<unknown, FaultTargets>>>;
  return words[broken.name]?.(faultTargets, context, broken.settings);
}

/** The same of a part for which no testbed is needed. */
export async function breakRunningPart(
  targets: PartTargets,
  context: BreakContext,
  broken: PartBreak,
): Promise<UndoBreak> {
  const words = BREAK_WORDS[broken.part] as Readonly<Record<string, ApplyBreak<unknown, PartTargets>>>;
  return words[broken.name]?.(targets, context, broken.settings);
}
