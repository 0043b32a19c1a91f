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
  readonly says: string;
}

/** All messages of the service, by name. */
export const MESSAGES: Readonly<Record<MessageName, MessageRow>> = {
  VehicleStateReceived: {
    schema: vehicleStateReceived,
    says: 'A telematics unit or a maker told something of the vehicle. An empty vehicle_state is contact without data.',
  },
  VehicleDataChanged: {
    schema: vehicleDataChanged,
    says: 'A request changed what the owner says of the vehicle.',
  },
  DamageDetected: {
    schema: damageDetected,
    says: 'The body was struck hard enough for the sensitivity in force.',
  },
  SmokeDetected: {
    schema: smokeDetected,
    says: 'Particles in the cabin were as dense and stayed for as long as configured.',
  },
  DrivingEventDetected: {
    schema: drivingEventDetected,
    says: 'A crash, heavy braking or harsh cornering.',
  },
  ParkingEventDetected: {
    schema: parkingEventDetected,
    says: 'The parked vehicle is towed, or was struck.',
  },
};
