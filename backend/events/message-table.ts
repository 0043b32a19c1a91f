import type { z } from 'zod';
import { vehicleStateReceived } from './message.ts';
import { vehicleDataChanged } from './message-data-changed.ts';
import {
  damageDetected,
  drivingEventDetected,
  parkingEventDetected,
  smokeDetected,
} from './message-features.ts';
import type { TOPICS } from './topics.ts';

export type MessageName = (typeof TOPICS)[number]['message'];

/** One kind of message, as its document needs it. */
export interface MessageRow {
  readonly schema: z.ZodType;
  /** When it is sent, in one sentence. */
  readonly description: string;
}

/** All messages of the service, by name. */
export const MESSAGES: Readonly<Record<MessageName, MessageRow>> = {
  VehicleStateReceived: {
    schema: vehicleStateReceived,
    description:
      'A telematics unit or a maker sent data of the vehicle. An empty vehicle_state means contact without data.',
  },
  VehicleDataChanged: {
    schema: vehicleDataChanged,
    description: 'A request changed the data that the owner keeps about the vehicle.',
  },
  DamageDetected: {
    schema: damageDetected,
    description: 'An impact on the body reached the configured sensitivity.',
  },
  SmokeDetected: {
    schema: smokeDetected,
    description: 'Particles in the cabin reached the configured concentration for the configured duration.',
  },
  DrivingEventDetected: {
    schema: drivingEventDetected,
    description: 'A crash, heavy braking or harsh cornering.',
  },
  ParkingEventDetected: {
    schema: parkingEventDetected,
    description: 'The parked vehicle is towed, or was struck.',
  },
};
