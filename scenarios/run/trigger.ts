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
 * come within its time. Nothing that happened before counts.
 */
export function awaitTrigger(
  trigger: Trigger,
  vehicles: readonly SimulatedVehicle[],
  context: TriggerContext,
): Promise<boolean> {
  const { time } = context.testbed;
  return new Promise((resolve) => {
    const end = (hasCome: boolean): void => {
      takeBack();
      stop();
      resolve(hasCome);
    };
    const takeBack = time.alarm(time.nowMs() + trigger.withinMs, () => end(false));
    const stop = listen(trigger, vehicles, context, () => end(true));
  });
}

/** The sentence about one that never came. */
export function neverCame({ name, settings, withinMs }: Trigger): string {
  return `it never began: no ${name} ${settings} came within ${withinMs / 1_000} s`;
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
