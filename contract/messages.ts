import type { MeasuredEventName } from '../protocol/measured.ts';

/** A field of a message about an event. A number is in the unit that its name ends with (contract/units.ts). */
export type FieldRow =
  | { readonly shape: 'whole' | 'decimal'; readonly minimum?: 0; readonly about: string }
  | { readonly shape: 'word'; readonly words: readonly string[]; readonly about: string }
  | { readonly shape: 'list'; readonly of: FieldRows; readonly about: string };
export type FieldRows = Readonly<Record<string, FieldRow>>;

/** What a message says of an event that a feature detected. */
export interface EventRow {
  /** Of a message that reports several: the word in `kind`, and its meaning. */
  readonly kind?: readonly [word: string, about: string];
  readonly about: string;
  readonly fields: FieldRows;
}

export interface MessageRow {
  readonly topic: string;
  /** Of its schema (semantic versioning). */
  readonly version: string;
  /** When it is sent, in one sentence. */
  readonly about: string;
  /** Of a message about events of features: those that it reports, and what its data hold in all of them. */
  readonly events?: Readonly<Partial<Record<MeasuredEventName, EventRow>>>;
  readonly data?: string;
}

const amount = (about: string): FieldRow => ({ shape: 'whole', minimum: 0, about });
const signed = (about: string): FieldRow => ({ shape: 'whole', about });
const decimal = (about: string): FieldRow => ({ shape: 'decimal', minimum: 0, about });
const word = (words: readonly string[], about: string): FieldRow => ({ shape: 'word', words, about });
const STRUCK = word(
  ['FRONT', 'REAR', 'LEFT', 'RIGHT'],
  'The side of the vehicle that was struck, as its driver sees it.',
);
const STRONGEST = amount('The strongest acceleration.');
const IMPACT = amount('How long the impact lasted.');
const BY_KIND = 'Which vehicle, when, where, and what was measured: by kind. Later releases may add kinds.';

/** All messages of the service, by name, each with the topic of its queues. */
export const MESSAGES = {
  VehicleStateReceived: {
    topic: 'VehicleState_v1',
    version: '2.0.0',
    about:
      'A telematics unit or a maker sent data of the vehicle. An empty vehicle_state means contact without data.',
  },
  VehicleDataChanged: {
    topic: 'VehicleDataChanged_v1',
    version: '1.0.0',
    about: 'A request changed the data that the owner keeps about the vehicle.',
  },
  DamageDetected: {
    topic: 'DamageDetected_v1',
    version: '1.0.0',
    about: 'An impact on the body reached the configured sensitivity.',
    events: {
      damage: {
        about: 'Which vehicle was struck, when, where and how hard.',
        fields: {
          strength_in_mg: amount('The strength of the sound in the body.'),
          sensitivity: word(['LOW', 'MEDIUM', 'HIGH'], 'The sensitivity that was in force.'),
          side: STRUCK,
        },
      },
    },
  },
  SmokeDetected: {
    topic: 'SmokeDetected_v1',
    version: '1.0.0',
    about: 'Particles in the cabin reached the configured concentration for the configured duration.',
    events: {
      smoke: {
        about: 'In which vehicle, when, where, and at which concentration.',
        fields: {
          particle_concentration_in_micrograms_per_cubic_meter: amount('The highest concentration.'),
          duration_in_seconds: amount('How long it had been above the threshold.'),
        },
      },
    },
  },
  DrivingEventDetected: {
    topic: 'DrivingEvent_v1',
    version: '1.0.0',
    about: 'A crash, heavy braking or harsh cornering.',
    data: BY_KIND,
    events: {
      crash: {
        kind: ['CRASH', 'It was a crash.'],
        about: 'A crash, with the accelerations that were recorded.',
        fields: {
          acceleration_in_mg: STRONGEST,
          duration_in_milliseconds: IMPACT,
          direction: STRUCK,
          data_gathering_duration_in_milliseconds: amount(
            'How long accelerations were recorded, from the beginning of the crash.',
          ),
          samples: {
            shape: 'list',
            of: {
              longitudinal_acceleration_in_mg: signed('Along the vehicle, forward is positive.'),
              lateral_acceleration_in_mg: signed('Across the vehicle, to the right is positive.'),
            },
            about: 'That time in equal parts: the strongest accelerations in each.',
          },
        },
      },
      'heavy-braking': {
        kind: ['HEAVY_BRAKING', 'It was heavy braking.'],
        about: 'Heavy braking.',
        fields: {
          longitudinal_acceleration_in_mg: amount('The strongest acceleration along the vehicle.'),
          duration_in_milliseconds: amount('How long it lasted.'),
          speed_before_in_kph: decimal('The speed before it.'),
          speed_after_in_kph: decimal('The speed after it.'),
        },
      },
      'harsh-cornering': {
        kind: ['HARSH_CORNERING', 'It was harsh cornering.'],
        about: 'Harsh cornering.',
        fields: {
          lateral_acceleration_in_mg: amount('The strongest acceleration across the vehicle.'),
          duration_in_milliseconds: amount('How long it lasted.'),
          speed_in_kph: decimal('The speed in the bend.'),
          bend: word(['LEFT', 'RIGHT'], 'The direction of the bend.'),
        },
      },
    },
  },
  ParkingEventDetected: {
    topic: 'ParkingEvent_v1',
    version: '1.0.0',
    about: 'The parked vehicle is towed, or was struck.',
    data: BY_KIND,
    events: {
      towing: {
        kind: ['TOWING', 'It is towed.'],
        about: 'The vehicle is towed or lifted.',
        fields: {
          distance_in_meters: amount('How far from where it was left.'),
          tilt_in_degrees: decimal('The angle by which it was tilted.'),
        },
      },
      shock: {
        kind: ['SHOCK', 'It was struck.'],
        about: 'The vehicle was struck.',
        fields: {
          acceleration_in_mg: STRONGEST,
          duration_in_milliseconds: IMPACT,
          direction: STRUCK,
        },
      },
    },
  },
} as const satisfies Readonly<Record<string, MessageRow>>;

export type MessageName = keyof typeof MESSAGES;
export type TopicName = (typeof MESSAGES)[MessageName]['topic'];

export const MESSAGE_NAMES = Object.keys(MESSAGES) as readonly MessageName[];

/** The topics of subscriptions, with the name of their message. */
export const TOPICS: readonly { readonly topic: TopicName; readonly message: MessageName }[] =
  MESSAGE_NAMES.map((message) => ({ topic: MESSAGES[message].topic, message }));

/** The message of each event of a feature, and its row. */
export const EVENT_MESSAGES = Object.fromEntries(
  (Object.entries(MESSAGES) as [MessageName, MessageRow][]).flatMap(([message, { events = {} }]) =>
    Object.entries(events).map(([event, row]) => [event, { message, row }]),
  ),
) as unknown as Readonly<
  Record<MeasuredEventName, { readonly message: MessageName; readonly row: EventRow }>
>;

/** The queue of a topic: `VehicleState_v1-demo`. */
export function queueName(topic: string, discriminator: string): string {
  return `${topic}-${discriminator}`;
}

/** The type of a message, by its name: `service.VehicleStateReceived`. */
export function messageType(name: string): string {
  return `service.${name}`;
}
