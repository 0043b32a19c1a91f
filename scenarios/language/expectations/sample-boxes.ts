import { factsOf } from '../../../simulator/box/box-facts.ts';
import type { BoxPlan } from '../../../simulator/box-plan.ts';
import { newBox } from '../../../simulator/firmware/core/boot.ts';
import type { BoxState } from '../../../simulator/firmware/core/state.ts';
import type { World } from '../../../world/world.ts';

/**
 * A box as it leaves the factory, and one with everything that a box can have: together they have a value for each
 * name.
 */
export function sampleBoxes(plan: BoxPlan, random: World['random']): readonly BoxState[] {
  const empty = newBox(factsOf(plan, random));
  const { ram, flash } = empty;
  const isAsItWas = {
    ignitionOn: false,
    anyDoorOpen: false,
    locked: false,
    drivingEnabled: false,
    topCaseOpen: false,
    topCaseLocked: false,
    standExtended: false,
    compartmentLocked: false,
    pluggedIn: false,
    charging: false,
  };
  return [
    empty,
    {
      ...empty,
      flash: {
        ...flash,
        intent: { requestId: '', expiresMs: 0, commandCode: 0 },
        bluetooth: { ...flash.bluetooth, tokens: [{ id: '', expiresMs: 0, used: 0, isWithdrawn: false }] },
        firmware: { version: [2, 30], bank: 0, other: [2, 31] },
        update: {
          offer: { version: [2, 31], image: 'right' },
          phase: 'over',
          received: 0,
          digest: 0,
          connectionBreaks: 0,
          installs: 0,
          trials: 0,
          offeredCounterMs: 0,
          outcome: 'installed',
          isReported: true,
        },
      },
      ram: {
        ...ram,
        power: 'dead',
        powerSource: 'supply',
        clock: { earlyMs: 0, lateMs: 0, learnedCounterMs: 0 },
        health: { ...ram.health, temperatureC: 20 },
        networks: [{ code: 1, name: '' }],
        sampler: { ...ram.sampler, seen: isAsItWas },
        fault: { text: '', isPassing: false },
        hang: { until: 0, watchdogAt: 0, bufferedInputs: [] },
        setup: { beganAt: 0, lookAt: 0, found: ['vehicle'] },
      },
    },
  ];
}
