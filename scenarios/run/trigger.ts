import type { Step } from '../language/document/scenario.ts';
import type { Trigger } from '../language/steps/triggers.ts';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';
import type { Testbed } from '../testbed/port/testbed.ts';
import type { FactKind } from './fact.ts';
import type { RunRecord } from './record.ts';

/** What the wait for a trigger needs of the run. */
interface TriggerContext {
  readonly testbed: Pick<Testbed, 'time' | 'onFrame' | 'onPoint'>;
  readonly record: Pick<RunRecord, 'listen'>;
}

/**
 * Resolves with true when the trigger happens to one of these vehicles, or at the backend; with false when that did not
 * come within its time. Nothing that happened before counts. `happened` is called in the very moment, before what has
 * happened goes on: a frame that a box sends is not yet on its way then.
 */
export function awaitTrigger(
  trigger: Trigger,
  vehicles: readonly SimulatedVehicle[],
  context: TriggerContext,
  happened: () => void = () => undefined,
): Promise<boolean> {
  const { time } = context.testbed;
  return new Promise((resolve) => {
    const end = (hasCome: boolean): void => {
      takeBack();
      stop();
      resolve(hasCome);
    };
    const takeBack = time.alarm(time.nowMs() + trigger.withinMs, () => end(false));
    const stop = listen(trigger, vehicles, context, () => {
      end(true);
      happened();
    });
  });
}

/** The sentence about one that never came. */
export function neverCame({ name, settings, withinMs }: Trigger): string {
  return `it never began: no ${name} ${settings} came within ${withinMs / 1_000} s`;
}

/**
 * Whether the step has to be done before the frame that it waits for goes on its way: weather that picks messages looks at
 * each as it is sent, and would miss this one. Everything else meets a frame on its way.
 */
export function isBeforeItsFrame({ trigger, does }: Step): boolean {
  return (
    trigger?.name === 'frame' &&
    trigger.delayMs === 0 &&
    does?.kind === 'weather' &&
    typeof does.weather.settings === 'object' &&
    'message' in does.weather.settings
  );
}

function listen(
  trigger: Trigger,
  vehicles: readonly SimulatedVehicle[],
  { testbed, record }: TriggerContext,
  happened: () => void,
): () => void {
  const numbers = new Set(vehicles.map(({ number }) => number));
  const onFact = (suits: (fact: FactKind) => boolean): (() => void) =>
    record.listen((fact) => {
      if ('vehicle' in fact && fact.vehicle !== undefined && numbers.has(fact.vehicle) && suits(fact))
        happened();
    });
  switch (trigger.name) {
    case 'frame':
      return testbed.onFrame(trigger.settings, vehicles, happened);
    case 'point':
      return testbed.onPoint(trigger.settings, happened);
    case 'message':
      return onFact((fact) => fact.kind === 'message' && fact.name === trigger.settings);
    case 'session':
      return onFact((fact) => fact.kind === 'connectivity' && fact.state === trigger.settings);
    default:
      return trigger satisfies never;
  }
}
