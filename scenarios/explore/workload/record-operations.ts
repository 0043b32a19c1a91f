import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { type ServiceOperationRow, STANDING, stepAt } from './service-operation.ts';
import { READ_PATHS } from './uses.ts';

const READ: DrawnPart = { call: { get: READ_PATHS[0] } };
const STATE: DrawnPart = { call: { command: 'request-vehicle-state' } };

/** The promises about the records of vehicles and cards, and the data kept with them. */
export const RECORD_OPERATIONS = {
  'booked-maintenance': {
    does: 'The maintenance set is booked and ended, in one order or the other, while the vehicle reports.',
    draw(context) {
      const { source, on } = context;
      const isFirst = source.whole(0, 2) > 0;
      const book = (isBooked: boolean): DrawnPart => ({
        ...on,
        call: { patch: { maintenance_booked: isBooked } },
      });
      const restMs = source.whole(8_000, 40_000);
      return {
        group: {
          ...STANDING,
          model: drawnOne(source, ['petrol-compact', 'diesel-van', 'plug-in-hybrid', 'electric-hatchback']),
          maintenance: !isFirst,
        },
        steps: [
          stepAt(context, 0, { ...on, ...STATE }),
          stepAt(context, 10_000, book(isFirst)),
          stepAt(context, 10_000 + restMs, { ...on, ...STATE }),
          stepAt(context, 14_000 + restMs, { ...on, ...READ }),
          ...(isFirst ? [] : [stepAt(context, 20_000 + restMs, book(true))]),
          stepAt(context, 20_000 + 2 * restMs, { ...on, ...STATE }),
          stepAt(context, 24_000 + 2 * restMs, { ...on, ...READ }),
        ],
      };
    },
  },
  searches: {
    does: 'Owner and partner look for a shared vehicle by its name, its plate and its id.',
    draw(context) {
      const { source, on } = context;
      const [name, plate] = [`name${source.whole(10, 99)}`, `B-${source.whole(1_000, 9_999)}`];
      const texts = [name, name.slice(0, 3), plate, plate.slice(0, 4), '{vehicle}'];
      return {
        group: { ...STANDING, count: 2 },
        steps: [
          stepAt(context, 0, { ...on, call: { patch: { master_data: { custom_name: name } } } }),
          stepAt(context, 500, {
            ...on,
            call: {
              patch: { master_data: { license_plate: plate }, tags: [name], custom_fields: { depot: name } },
            },
          }),
          stepAt(context, 1_000, { ...on, call: { share: 'partner' } }),
          ...texts.flatMap((text, index) =>
            ['owner', 'partner'].map((as) =>
              stepAt(context, 5_000 + 200 * index, {
                ...on,
                call: { get: `/vehicles?limit=100&q=${text}`, as },
              }),
            ),
          ),
        ],
      };
    },
  },
  'unreached-unsubscribe': {
    does: 'A subscription is ended while the AMQP broker cannot be reached, and messages of its topics follow.',
    draw(context) {
      const { source, on } = context;
      const name = context.nameOf('gone').toLowerCase();
      const downMs = source.whole(10_000, 60_000);
      const once: DrawnPart = { as: 'owner' };
      return {
        group: STANDING,
        steps: [
          stepAt(context, 0, { call: { subscribe: { name, topics: ['VehicleState_v1'] }, ...once } }),
          stepAt(context, 5_000, { ...on, ...STATE }),
          stepAt(context, 90_000, { break: { exchange: { down: {} } }, for: `${downMs}ms` }),
          stepAt(context, 90_000 + source.whole(1_000, downMs - 1_000), {
            call: { unsubscribe: name, ...once },
          }),
          ...[440_000, 500_000].map((afterMs) =>
            stepAt(context, 90_000 + downMs + afterMs, { ...on, ...STATE }),
          ),
        ],
      };
    },
  },
  'detached-card': {
    does: 'A card is suspended, then detached or only looked at, and activated in the end.',
    draw(context) {
      const { source, on } = context;
      const order = (afterMs: number, command: string) =>
        stepAt(context, afterMs, { ...on, call: { command } });
      const laterMs = source.whole(20_000, 100_000);
      return {
        group: { ...STANDING, sim: drawnOne(source, ['harbour', 'meridian']), model: 'petrol-compact' },
        steps: [
          order(0, 'request-sim-suspension'),
          ...(source.whole(0, 3) > 0 ? [order(laterMs, 'network-detach')] : []),
          ...[180_000, 400_000].map((afterMs) => stepAt(context, laterMs + afterMs, { ...on, ...READ })),
          order(laterMs + 420_000, 'request-sim-activation'),
          stepAt(context, laterMs + 600_000, { ...on, ...READ }),
        ],
      };
    },
  },
} as const satisfies Readonly<Record<string, ServiceOperationRow>>;
