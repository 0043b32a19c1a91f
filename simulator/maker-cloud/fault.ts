/** The cloud's refusals, in its own terms. */
export const MAKER_FAULTS = {
  KEY_REJECTED: { status: 401, text: 'This key opens nothing here.' },
  CAR_UNKNOWN: { status: 404, text: 'No car of ours has this number.' },
  PATH_UNKNOWN: { status: 404, text: 'There is nothing at this path.' },
  BODY_UNREADABLE: { status: 400, text: 'The body does not have the form that is asked for.' },
  ACTION_UNKNOWN: { status: 422, text: 'Our cars know no such action.' },
  CAR_IN_MOTION: { status: 409, text: 'The car is in motion.' },
  DOOR_AJAR: { status: 409, text: 'A door is ajar; the bolts stay where they are.' },
  PART_STUCK: { status: 409, text: 'The car tried, and a part of it did not move.' },
  CAR_ASLEEP: { status: 424, text: 'The car sleeps and could not be woken.' },
  TOO_MANY_CALLS: { status: 429, text: 'That was more than your share of calls.' },
  OUT_OF_ORDER: { status: 503, text: 'We are mending something. Try again later.' },
} as const;

export type MakerFaultCode = keyof typeof MAKER_FAULTS;
