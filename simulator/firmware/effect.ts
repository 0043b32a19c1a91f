import type { ResetReason } from '../../protocol/message.ts';
import type { FlashOperation } from '../../world/flash.ts';
import type { Publication } from '../../world/link.ts';
import type { Actuation } from '../vehicle/senses.ts';
import type { PhoneOutcome } from './ble-access.ts';

/** What the host must do after a step, in this order. */
export type Effect =
  /** Always the first: nothing else of the step happens before it is durable. All or none. */
  | { readonly kind: 'write'; readonly operations: readonly FlashOperation[] }
  | { readonly kind: 'connect'; readonly connection: number; readonly will: Publication }
  | { readonly kind: 'subscribe'; readonly filter: string }
  | { readonly kind: 'publish'; readonly token: number; readonly publication: Publication }
  /** Ends the link with a goodbye. No `closed` follows. */
  | { readonly kind: 'disconnect' }
  /** Ends the link without one. No `closed` follows. */
  | { readonly kind: 'drop' }
  /** Answered by `actuated`. */
  | { readonly kind: 'actuate'; readonly actuations: readonly Actuation[] }
  /** Driving is to be disabled, as the box decided on itself. Answered by `immobilized`. */
  | { readonly kind: 'immobilize' }
  | {
      readonly kind: 'answer-phone';
      readonly call: number;
      readonly outcome: PhoneOutcome;
      readonly detail: string;
    }
  /** The box is down, and boots for that reason after `downMs`. */
  | { readonly kind: 'reset'; readonly reason: ResetReason; readonly downMs: number };
