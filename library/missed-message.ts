import type { FEATURES } from '../contract/features.ts';
import { counted } from '../judge/wording.ts';
import type { SettingName } from '../protocol/settings.ts';
import { limits } from './limits.ts';
import { differenceOf, queryText } from './message.ts';
import type { ArrivedMessage, MissedMessage } from './message-reader.ts';
import type { VehicleViews } from './vehicle.ts';
import { reasonsOf } from './vehicle-views.ts';

/** What is known of the awaited vehicle once a wait has failed. */
export interface AwaitedVehicle {
  /** A text: why there are none; undefined: any vehicle was awaited. */
  readonly views: VehicleViews | string | undefined;
  /** The last requests of the test for it. */
  readonly requests: readonly string[];
}

/** Why a wait for a message failed: what came instead, what the test did last, and what to check. */
export function missedText(
  missed: MissedMessage,
  within: string,
  { views, requests }: AwaitedVehicle,
): string {
  const { query, others, beganMs, before } = missed;
  const listed = others.slice(-limits.listedMessages);
  return [
    `No ${queryText(query)} arrived within ${within}.`,
    others.length === 0
      ? 'No other message arrived either.'
      : `${counted(others.length, 'other message')} arrived:`,
    ...(others.length > listed.length ? [`  (${others.length - listed.length} before these)`] : []),
    ...listed.map((one) => `  ${lineOf(one, missed)}`),
    ...requests,
    'To check:',
    ...adviceOf(missed, views).map((line) => `- ${line}`),
    ...(before === undefined
      ? []
      : [
          `- One arrived ${seconds(beganMs - before.atMs)} before the wait began. Begin the wait before what causes the message: const next = service.nextMessage(...); await service.call(...); await next.`,
        ]),
  ].join('\n');
}

function lineOf({ message, atMs }: ArrivedMessage, { query, beganMs }: MissedMessage): string {
  const difference = differenceOf(query, message) ?? 'it came too late';
  return `after ${seconds(Math.max(0, atMs - beganMs))}: ${message.type} of vehicle ${message.data.vehicle_id} (${difference})`;
}

function adviceOf(
  { query, others, before }: MissedMessage,
  views: VehicleViews | string | undefined,
): readonly string[] {
  const { type } = query;
  const advice: string[] = [];
  if (typeof views === 'string') advice.push(views);
  else if (views !== undefined) advice.push(...reasonsOf(views));
  const off = type === undefined || typeof views !== 'object' ? undefined : featureOff(type, views);
  if (off !== undefined) advice.push(`The box looks for no such event: PUT ${off} turns that on.`);
  if (
    query.where !== undefined &&
    others.some(({ message }) => differenceOf(query, message)?.includes('where'))
  )
    advice.push('Messages of this type and vehicle did arrive: look at the condition in `where`.');
  if (advice.length === 0 && before === undefined)
    advice.push(
      'Does anything make the vehicle send it? A box reports what changes, and at the intervals of its configuration.',
    );
  return advice;
}

/** The feature that a message needs, and the setting of the box that is 0 while it is off. */
const FEATURE_OF = {
  DamageDetected: { feature: 'damage-detection', setting: 'damage.activation' },
  SmokeDetected: { feature: 'smoke-detection', setting: 'smoke.enabled' },
  DrivingEventDetected: { feature: 'driving-events', setting: 'driving.enabled' },
  ParkingEventDetected: { feature: 'parking-events', setting: 'parking.enabled' },
} as const satisfies Readonly<Record<string, { feature: keyof typeof FEATURES; setting: SettingName }>>;

/** The path of the feature that a message needs, if it is off in the box. */
function featureOff(type: string, { box }: VehicleViews): string | undefined {
  if (!Object.hasOwn(FEATURE_OF, type)) return undefined;
  const { feature, setting } = FEATURE_OF[type as keyof typeof FEATURE_OF];
  if (box.belief.configuration[setting] !== 0) return undefined;
  return `/vehicles/${box.vehicleId}/telematics-unit/feature-configuration/${feature}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
