import type { FactKind } from '../../judge/evidence/fact.ts';
import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import type { Step } from '../language/document/scenario.ts';
import type { Trigger } from '../language/steps/triggers.ts';
import type { Testbed } from '../testbed/port/testbed.ts';
import type { RunRecord } from './record.ts';

/** The parts of the run that the wait for a trigger needs. */
interface TriggerContext {
  readonly testbed: Pick<Testbed, 'time' | 'onFrame' | 'onPoint'>;
  readonly record: Pick<RunRecord, 'listen'>;
}

/**
 * Resolves with true when the trigger happens to one of these vehicles, or at the backend; with false when it did not
 * happen within its time. Nothing that happened before counts. `happened` is called synchronously, before the event
 * takes effect: a frame that a box sends is not yet in transit then.
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

/** The sentence about one that never happened. */
export function neverCame({ name, settings, withinMs }: Trigger): string {
  return `it never began: no ${name} ${settings} came within ${withinMs / 1_000} s`;
}

/**
 * Whether the step must run before the frame that triggers it is in transit: weather that picks messages checks each
 * as it is sent, and would miss this one. Everything else affects a frame in transit.
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
