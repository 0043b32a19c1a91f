import { z } from 'zod';
import type { FleetBox } from '../fleet.ts';

/** One thing that can be done to a box or its vehicle, ready for a body of any kind. */
export interface Action {
  /** In the path, kebab-case. */
  readonly name: string;
  /** What happens, one English sentence. */
  readonly does: string;
  readonly body: z.ZodType;
  /** A body that works. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Does it, or says why not: a body that is wrong, a state in which it cannot be. */
  attempt(box: FleetBox, body: unknown): Attempt;
}

export type Attempt =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'wrong-body'; readonly detail: string }
  | { readonly outcome: 'refused'; readonly detail: string };

interface ActionRow<Body extends z.ZodType> {
  readonly name: string;
  readonly does: string;
  readonly body: Body;
  readonly example: z.input<Body> & Readonly<Record<string, unknown>>;
  /** Why the vehicle cannot do it now, with what to do about it; undefined: it can. */
  readonly refuses?: (truth: Readonly<Record<string, unknown>>, body: z.output<Body>) => string | undefined;
  readonly run: (box: FleetBox, body: z.output<Body>) => void;
}

const nothing = z.strictObject({});

/** Everything that can be done. A new action is a new row; the face documents itself by them. */
export const ACTIONS: readonly Action[] = [
  action({
    name: 'drive',
    does: 'The driver shuts the doors, turns the ignition on and drives along the route until told otherwise.',
    body: nothing,
    example: {},
    refuses: (truth) => {
      if (truth['drivingEnabled'] === false) {
        return 'The immobilizer is on: the vehicle does not start. Send it the command enable-driving first.';
      }
      if (truth['locked'] === true && truth['ignitionOn'] === false) {
        return 'The vehicle is locked: nobody can get in. Send it the command unlock-central-lock first.';
      }
      return undefined;
    },
    run: (box) => box.drive(),
  }),
  action({
    name: 'park',
    does: 'The driver brakes to standstill and turns the ignition off.',
    body: nothing,
    example: {},
    run: (box) => box.park(),
  }),
  action({
    name: 'doors',
    does: 'A door is opened, after braking to standstill where the vehicle moves; or all are shut.',
    body: z.strictObject({ open: z.boolean() }),
    example: { open: true },
    refuses: (truth, { open }) =>
      open && truth['locked'] === true
        ? 'The vehicle is locked: no door opens. Send it the command unlock-central-lock first.'
        : undefined,
    run: (box, { open }) => box.openDoor(open),
  }),
  action({
    name: 'ignition',
    does: 'The ignition is turned on; or off, after braking to standstill where the vehicle moves.',
    body: z.strictObject({ on: z.boolean() }),
    example: { on: false },
    run: (box, { on }) => box.turnIgnition(on),
  }),
  action({
    name: 'coverage',
    does: 'Radio coverage ends, and the link dies without a goodbye; or it is there again.',
    body: z.strictObject({ available: z.boolean() }),
    example: { available: false },
    run: (box, { available }) => box.setCoverage(available),
  }),
  action({
    name: 'signal',
    does: 'The signal quality becomes this CSQ (3GPP TS 27.007: 0 is -113 dBm or less, 31 is -51 dBm or more).',
    body: z.strictObject({ csq: z.int().min(0).max(31) }),
    example: { csq: 9 },
    run: (box, { csq }) => box.setSignalQuality(csq),
  }),
  action({
    name: 'brown-out',
    does: 'The supply voltage sinks below what the box needs, for a few seconds; it starts again after it.',
    body: nothing,
    example: {},
    run: (box) => box.brownOut(),
  }),
  action({
    name: 'cut-link',
    does: 'The network severs the connection of the box; coverage stays, and the box connects again.',
    body: nothing,
    example: {},
    run: (box) => box.cutLink(),
  }),
  action({
    name: 'reset',
    does: 'The box is reset from outside, with this reason in its next system status.',
    body: z.strictObject({
      reason: z.enum(['GENERAL', 'BACKUP', 'WATCHDOG', 'SOFTWARE', 'USER', 'UNKNOWN', 'POWER_DOWN_MODE']),
    }),
    example: { reason: 'WATCHDOG' },
    run: (box, { reason }) => box.reset(reason),
  }),
  action({
    name: 'sim',
    does: 'The SIM provider activates, suspends or detaches the card; only an active one gets onto a network.',
    body: z.strictObject({ state: z.enum(['active', 'suspended', 'detached']) }),
    example: { state: 'suspended' },
    run: (box, { state }) => box.setSim(state),
  }),
];

/** Joins a row's types, so that its body is checked once and then known. */
function action<Body extends z.ZodType>(row: ActionRow<Body>): Action {
  return {
    name: row.name,
    does: row.does,
    body: row.body,
    example: row.example,
    attempt(box, raw) {
      const parsed = row.body.safeParse(raw);
      if (!parsed.success) return { outcome: 'wrong-body', detail: sentenceOf(parsed.error, row.example) };
      const reason = row.refuses?.(box.truth(), parsed.data);
      if (reason !== undefined) return { outcome: 'refused', detail: reason };
      row.run(box, parsed.data);
      return { outcome: 'done' };
    },
  };
}

/** Names each property that is wrong and shows a body that works. */
function sentenceOf(error: z.ZodError, example: Readonly<Record<string, unknown>>): string {
  const faults = error.issues.map((issue) => {
    const name = issue.path.join('.');
    return name === '' ? issue.message : `${name}: ${issue.message}`;
  });
  return `${faults.join('; ')}. For example: ${JSON.stringify(example)}`;
}
