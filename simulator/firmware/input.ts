import type { ResetReason } from '../../protocol/message.ts';
import type { Senses } from '../vehicle/senses.ts';
import type { KeptToken } from './ble-pages.ts';
import type { PhoneRequest } from './ble-phone.ts';
import type { Offer } from './image.ts';
import type { Fault, SimState } from './state.ts';

/** Everything that can reach a box. Plain data. */
export type Input =
  /** Power is good: the box begins anew with what its flash holds. `entropy`: 32 bits of chance. */
  | {
      readonly kind: 'boot';
      readonly pages: ReadonlyMap<string, Uint8Array>;
      readonly reason: ResetReason;
      readonly entropy: number;
    }
  /** The alarm rang, or an input line changed. */
  | { readonly kind: 'tick'; readonly senses: Senses }
  /** The broker took the connection that `connect` asked for. */
  | { readonly kind: 'opened' }
  | { readonly kind: 'subscribed' }
  /** The connection was refused, could not be made, or ended by itself. */
  | { readonly kind: 'closed' }
  /** PUBACK of the publication with that token. */
  | { readonly kind: 'acknowledged'; readonly token: number }
  /** A payload on the down topic. */
  | { readonly kind: 'received'; readonly bytes: Uint8Array; readonly senses: Senses }
  /** The actuators have moved, or one of them was refused. */
  | { readonly kind: 'actuated'; readonly accepted: boolean; readonly senses: Senses }
  /** The starter's relay has moved, or refused. */
  | { readonly kind: 'immobilized'; readonly accepted: boolean; readonly senses: Senses }
  /** A phone beside the vehicle asks by Bluetooth. Answered by `answer-phone`, or by nothing. */
  | ({ readonly kind: 'phone'; readonly senses: Senses } & PhoneRequest)
  /** Tokens that were withdrawn, as a box in a session hears. */
  | { readonly kind: 'withdrawn'; readonly tokens: readonly Pick<KeptToken, 'id' | 'expiresMs'>[] }
  /** The reset button, the watchdog, or a scenario. */
  | { readonly kind: 'reset'; readonly reason: ResetReason }
  | { readonly kind: 'sim'; readonly to: SimState }
  /** Something in the box breaks; undefined: it is mended. */
  | { readonly kind: 'fault'; readonly fault: Fault | undefined }
  /** The counter of its clock jumps, by a whole number of milliseconds or what rounds to one. */
  | { readonly kind: 'clock-jump'; readonly byMs: number }
  /** The flash has room for so many records; undefined: for no more than it holds. */
  | { readonly kind: 'room'; readonly records: number | undefined }
  /** The application hangs for that long. */
  | { readonly kind: 'hang'; readonly forMs: number }
  /** A workshop puts another program in. */
  | { readonly kind: 'firmware'; readonly version: readonly [major: number, minor: number] }
  /** The maker's update server has a program for it. */
  | { readonly kind: 'update'; readonly offer: Offer };
