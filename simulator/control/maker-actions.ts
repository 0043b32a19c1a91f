import { z } from 'zod';
import type { Car } from '../maker-cloud/car.ts';
import type { ActionResult } from './box-action.ts';

/** One thing that can be done to a car that talks to its maker, ready for a body of any kind. */
export interface MakerAction {
  /** In the path, kebab-case. */
  readonly name: string;
  /** What happens, one English sentence. */
  readonly does: string;
  readonly body: z.ZodType;
  /** A body that works. */
  readonly example: Readonly<Record<string, unknown>>;
  attempt(car: Car, body: unknown): ActionResult;
}

interface MakerActionRow<Body extends z.ZodType> {
  readonly name: string;
  readonly does: string;
  readonly body: Body;
  readonly example: z.input<Body> & Readonly<Record<string, unknown>>;
  /** Why the car cannot do it now, with what to do about it; undefined: it can. */
  readonly refuses?: (truth: Readonly<Record<string, unknown>>, body: z.output<Body>) => string | undefined;
  readonly run: (car: Car, body: z.output<Body>) => void;
}

const nothing = z.strictObject({});

/** Everything that can be done to a maker's car. */
export const MAKER_ACTIONS: readonly MakerAction[] = [
  makerAction({
    name: 'drive',
    does: 'The driver shuts the doors, turns the key and drives along the route until told otherwise.',
    body: nothing,
    example: {},
    refuses: (truth) => {
      if (truth['drivingEnabled'] === false)
        return 'The immobilizer is on: the car does not start. Send it the command enable-driving first.';
      if (truth['locked'] === true && truth['ignitionOn'] === false)
        return 'The car is locked: nobody can get in. Send it the command unlock-central-lock first.';
      return undefined;
    },
    run: (car) => car.change((vehicle) => vehicle.drive()),
  }),
  makerAction({
    name: 'park',
    does: 'The driver brakes to standstill and pulls the key.',
    body: nothing,
    example: {},
    run: (car) => car.change((vehicle) => vehicle.park()),
  }),
  makerAction({
    name: 'doors',
    does: 'A door is opened, after braking to standstill where the car moves; or all are shut.',
    body: z.strictObject({ open: z.boolean() }),
    example: { open: true },
    refuses: (truth, { open }) =>
      open && truth['locked'] === true
        ? 'The car is locked: no door opens. Send it the command unlock-central-lock first.'
        : undefined,
    run: (car, { open }) => car.change((vehicle) => vehicle.openDoor(open)),
  }),
  makerAction({
    name: 'ignition',
    does: 'The ignition is turned on; or off, after braking to standstill where the car moves.',
    body: z.strictObject({ on: z.boolean() }),
    example: { on: false },
    run: (car, { on }) => car.change((vehicle) => vehicle.turnIgnition(on)),
  }),
  makerAction({
    name: 'lock-motor',
    does: 'The motor of the central lock jams, or works again; what its maker asks of a jammed one fails.',
    body: z.strictObject({ works: z.boolean() }),
    example: { works: false },
    run: (car, { works }) =>
      car.change((vehicle) => vehicle.setMechanics({ lock: works ? 'works' : 'jammed' })),
  }),
  makerAction({
    name: 'sleep',
    does: 'The car sleeps so deep that its maker cannot reach it, or wakes and tells how it is.',
    body: z.strictObject({ asleep: z.boolean() }),
    example: { asleep: true },
    run: (car, { asleep }) => car.sleep(asleep),
  }),
];

/** Joins a row's types, so that its body is checked once and then known. */
function makerAction<Body extends z.ZodType>(row: MakerActionRow<Body>): MakerAction {
  return {
    name: row.name,
    does: row.does,
    body: row.body,
    example: row.example,
    attempt(car, raw) {
      const parsed = row.body.safeParse(raw);
      if (!parsed.success) {
        const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
        return {
          outcome: 'wrong-body',
          detail: `${faults.join('; ')}. For example: ${JSON.stringify(row.example)}`,
        };
      }
      const reason = row.refuses?.(car.truth(), parsed.data);
      if (reason !== undefined) return { outcome: 'refused', detail: reason };
      row.run(car, parsed.data);
      return { outcome: 'done' };
    },
  };
}
