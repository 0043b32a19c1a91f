import type { ResetReason } from '../../../protocol/message.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import type { KnownToken } from '../bluetooth/bluetooth-pages.ts';
import type { PhoneRequest } from '../bluetooth/phone-request.ts';
import type { ActuationHindrance } from '../commands/command-state.ts';
import type { UpdateOffer } from '../update/image.ts';
import type { BoxFault, SimState } from './box-hardware.ts';

/** Everything that a box can receive. Plain data. */
export type FirmwareInput =
  /** Power is good: the box boots with the content of its flash. `entropy`: 32 random bits. */
  | {
      readonly kind: 'boot';
      readonly pages: ReadonlyMap<string, Uint8Array>;
      readonly reason: ResetReason;
      readonly entropy: number;
    }
  /** The alarm expired, or an input changed. */
  | { readonly kind: 'tick'; readonly sensors: SensorInputs }
  /** The broker accepted the connection that `connect` requested; `isResumed`: it had kept the session of the one before. */
  | { readonly kind: 'opened'; readonly isResumed?: boolean }
  | { readonly kind: 'subscribed' }
  /** The connection was refused, could not be made, or was lost. */
  | { readonly kind: 'closed' }
  /** PUBACK of the publication with this token. */
  | { readonly kind: 'acknowledged'; readonly token: number }
  /** A payload on the down topic. */
  | { readonly kind: 'received'; readonly bytes: Uint8Array; readonly sensors: SensorInputs }
  /** The actuators have moved, or one of them refused; `hindrance`: nothing was tried, for this reason. */
  | {
      readonly kind: 'actuated';
      readonly accepted: boolean;
      readonly hindrance?: ActuationHindrance;
      readonly sensors: SensorInputs;
    }
  /** The starter relay has moved, or refused. */
  | { readonly kind: 'immobilized'; readonly accepted: boolean; readonly sensors: SensorInputs }
  /** A request from a phone over Bluetooth. Answered by `answer-phone`, or not at all. */
  | ({ readonly kind: 'phone'; readonly sensors: SensorInputs } & PhoneRequest)
  /** Withdrawn tokens, received in a session. */
  | { readonly kind: 'withdrawn'; readonly tokens: readonly Pick<KnownToken, 'id' | 'expiresMs'>[] }
  /** The reset button, the watchdog, or a scenario. */
  | { readonly kind: 'reset'; readonly reason: ResetReason }
  /** The supply fails suddenly, and a pending write is lost. */
  | { readonly kind: 'power-cut' }
  | { readonly kind: 'sim'; readonly to: SimState }
  /** A fault inside the box; undefined: it is repaired. */
  | { readonly kind: 'fault'; readonly fault: BoxFault | undefined }
  /** The counter of its clock jumps by this number of milliseconds, rounded to a whole number. */
  | { readonly kind: 'clock-jump'; readonly byMs: number }
  /** The rate error of its clock's counter from now on, in millionths: positive is fast, negative slow. */
  | { readonly kind: 'clock-drift'; readonly ppm: number }
  /** The flash has room for this many records; undefined: only for those that it holds. */
  | { readonly kind: 'room'; readonly records: number | undefined }
  /** The application hangs for that long. */
  | { readonly kind: 'hang'; readonly forMs: number }
  /** A workshop installs another program. */
  | { readonly kind: 'firmware'; readonly version: readonly [major: number, minor: number] }
  /** The maker's update server offers a program. */
  | { readonly kind: 'update'; readonly offer: UpdateOffer };

/** The inputs of a firmware with power. */
export type RunningInput = Exclude<
  FirmwareInput,
  {
    readonly kind:
      | 'boot'
      | 'reset'
      | 'power-cut'
      | 'sim'
      | 'fault'
      | 'clock-jump'
      | 'clock-drift'
      | 'room'
      | 'hang'
      | 'firmware'
      | 'update'
      | 'phone';
  }
>;
