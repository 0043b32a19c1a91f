import type { z } from 'zod';
import type { MessageName } from '../../contract/messages.ts';
import { vehicleStateReceived } from './message.ts';
import { vehicleDataChanged } from './message-data-changed.ts';
import { featureMessage } from './message-features.ts';

/** The schemas of all messages of the service, by name. */
export const MESSAGE_SCHEMAS: Readonly<Record<MessageName, z.ZodType>> = {
  VehicleStateReceived: vehicleStateReceived,
  VehicleDataChanged: vehicleDataChanged,
  DamageDetected: featureMessage('DamageDetected'),
  SmokeDetected: featureMessage('SmokeDetected'),
  DrivingEventDetected: featureMessage('DrivingEventDetected'),
  ParkingEventDetected: featureMessage('ParkingEventDetected'),
};
