/** The topics of subscriptions, with the name of their message. */
export const TOPICS = [
  { topic: 'VehicleState_v1', message: 'VehicleStateReceived' },
  { topic: 'VehicleDataChanged_v1', message: 'VehicleDataChanged' },
  { topic: 'DamageDetected_v1', message: 'DamageDetected' },
  { topic: 'SmokeDetected_v1', message: 'SmokeDetected' },
  { topic: 'DrivingEvent_v1', message: 'DrivingEventDetected' },
  { topic: 'ParkingEvent_v1', message: 'ParkingEventDetected' },
] as const;

/** The queue of a topic: `VehicleState_v1-demo`. */
export function queueName(topic: string, discriminator: string): string {
  return `${topic}-${discriminator}`;
}
