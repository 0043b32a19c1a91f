import { OPERATION_STATUSES } from '../../../backend/vehicles/vehicle-fields.ts';
import { MESSAGE_KINDS } from '../../../protocol/message-kinds.ts';
import { ROUTES } from '../../../simulator/routes/routes.ts';
import { formatSpan } from '../../language/document/quantity.ts';
import { CRASH_POINTS } from '../../language/steps/backend-breaks.ts';
import { hasArrived, pickedBy } from '../../language/steps/message-frames.ts';
import { WEATHER } from '../../language/steps/weather.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';

/**
 * A form that a step may have in addition to its `at`: repeated, with a trigger, in a place, with a value remembered.
 */
interface StepForm {
  fits(step: DrawnPart): boolean;
  /** The step in that form, and the steps that it adds. */
  draw(source: RandomSource, step: DrawnPart): readonly DrawnPart[];
}

const CORNERS = [...ROUTES.values()].flatMap(({ corners }) => corners.map(({ place }) => place));
const FRAMES = MESSAGE_KINDS.map(({ name }) => name);
const POINTS = Object.keys(CRASH_POINTS);
const SESSIONS = ['offline', 'connecting', 'connected', 'ready'] as const;

const FORMS: readonly StepForm[] = [
  {
    fits: ({ call }) => {
      const { get, command } = (call ?? {}) as DrawnPart;
      // The step that suspends a card has drawn when it is activated again.
      return get !== undefined || (command !== undefined && !String(command).includes('-sim-'));
    },
    draw: (source, step) => [
      {
        ...step,
        repeat: {
          every: formatSpan(source.whole(exploreLimits.formEveryLeastMs, exploreLimits.formEveryMostMs)),
          times: source.whole(2, exploreLimits.formRounds),
        },
      },
    ],
  },
  {
    fits: ({ weather, break: broken, when }) => (weather ?? broken) !== undefined && when === undefined,
    draw: (source, step) => {
      const trigger = drawnTrigger(source);
      // The reader refuses a file with it.
      if (hasArrived(String(trigger['frame']), pickedBy(step['weather']))) return [step];
      return [{ ...step, when: { ...trigger, within: formatSpan(exploreLimits.formWithinMs) } }];
    },
  },
  {
    fits: ({ weather, for: long }) => {
      const [name = ''] = Object.keys((weather ?? {}) as DrawnPart);
      return (
        long !== undefined && (WEATHER as Readonly<Record<string, { lasts?: boolean }>>)[name]?.lasts === true
      );
    },
    draw: (source, step) => {
      const { latitude, longitude } = drawnOne(source, CORNERS);
      return [
        {
          ...step,
          in: { around: [latitude, longitude], radius_m: source.whole(100, exploreLimits.formRadiusM) },
        },
      ];
    },
  },
  {
    fits: ({ call }) => (call as DrawnPart | undefined)?.['get'] === '/vehicles/{vehicle}',
    // A client that changes a vehicle says which version of it it has read.
    draw: (source, { call, label, ...step }) => [
      {
        ...(label === undefined ? {} : { label }),
        ...step,
        call: { ...(call as DrawnPart), remember: { tag: 'headers.etag' } },
      },
      {
        ...step,
        call: {
          request: {
            method: 'PATCH',
            path: '/vehicles/{vehicle}',
            headers: { 'if-match': '{tag}' },
            body: { operation_status: { value: drawnOne(source, OPERATION_STATUSES) } },
          },
        },
      },
    ],
  },
];

function drawnTrigger(source: RandomSource): DrawnPart {
  switch (source.whole(0, 2)) {
    case 0:
      return { point: drawnOne(source, POINTS) };
    case 1:
      return { session: drawnOne(source, SESSIONS) };
    default:
      return { frame: drawnOne(source, FRAMES), ...(source.whole(0, 1) === 0 ? {} : { of: 'any' }) };
  }
}

/** The steps, some of them in a form that they can have, each at its own time. */
export function withForms(source: RandomSource, steps: readonly DrawnPart[]): readonly DrawnPart[] {
  return steps.flatMap((step) => {
    if (source.whole(1, exploreLimits.formIn) !== 1) return [step];
    const fitting = FORMS.filter((form) => form.fits(step));
    return fitting.length === 0 ? [step] : drawnOne(source, fitting).draw(source, step);
  });
}
