import { z } from 'zod';
import type { Car } from '../maker-cloud/car.ts';
import { type Action, makerAction } from './action.ts';

const nothing = z.strictObject({});

/** Everything that can be done to a maker's car. */
export const MAKER_ACTIONS = {
  drive: makerAction({
    does: 'The driver shuts the doors, turns the key and drives along the route until another action.',
    body: nothing,
    example: {},
    refuses: (truth) => {
      if (truth['drivingEnabled'] === false)
        return 'The immobilizer is on: the car does not start. Send it the command enable-driving first.';
      if (truth['locked'] === true && truth['ignitionOn'] === false)
        return 'The car is locked. Send it the command unlock-central-lock first.';
      return undefined;
    },
    run: (car) => car.change((vehicle) => vehicle.drive()),
  }),
  park: makerAction({
    does: 'The driver brakes to standstill and pulls the key.',
    body: nothing,
    example: {},
    run: (car) => car.change((vehicle) => vehicle.park()),
  }),
  doors: makerAction({
    does: 'A door is opened, after braking to standstill where the car moves; or all are shut.',
    body: z.strictObject({ open: z.boolean() }),
    example: { open: true },
    refuses: (truth, { open }) =>
      open && truth['locked'] === true
        ? 'The car is locked: no door opens. Send it the command unlock-central-lock first.'
        : undefined,
    run: (car, { open }) => car.change((vehicle) => vehicle.openDoor(open)),
  }),
  ignition: makerAction({
    does: 'The ignition is turned on; or off, after braking to standstill where the car moves.',
    body: z.strictObject({ on: z.boolean() }),
    example: { on: false },
    run: (car, { on }) => car.change((vehicle) => vehicle.turnIgnition(on)),
  }),
  'lock-motor': makerAction({
    does: 'The motor of the central lock jams, or works again; what its maker asks of a jammed one fails.',
    body: z.strictObject({ works: z.boolean() }),
    example: { works: false },
    run: (car, { works }) =>
      car.change((vehicle) => vehicle.setMechanics({ lock: works ? 'works' : 'jammed' })),
  }),
  sleep: makerAction({
    does: 'The car sleeps so deeply that its maker cannot reach it, or it wakes and reports its state.',
    body: z.strictObject({ asleep: z.boolean() }),
    example: { asleep: true },
    run: (car, { asleep }) => car.sleep(asleep),
  }),
};

export type MakerActionName = keyof typeof MAKER_ACTIONS;

/** By a name from outside; undefined: there is no such action. */
export function makerActionOf(name: string): Action<Car> | undefined {
  return Object.hasOwn(MAKER_ACTIONS, name) ? MAKER_ACTIONS[name as MakerActionName] : undefined;
}
