import type { CommandName } from '../../../protocol/commands.ts';
import type { ResetReason } from '../../../protocol/message.ts';
import type { FlashOperation } from '../../../world/flash/flash.ts';
import type { MqttMessage } from '../../../world/mqtt/mqtt-client.ts';
import type { Actuation } from '../../vehicle/sensing/vehicle-ports.ts';
import type { PhoneOutcome } from '../bluetooth/phone-request.ts';

/** An instruction to the host; the effects of a step are carried out in order. */
export type FirmwareEffect =
  /**
   * Always the first: no other effect is carried out before this is durable. All operations are written or
   * none.
   */
  | { readonly kind: 'write'; readonly operations: readonly FlashOperation[] }
  | { readonly kind: 'connect'; readonly connection: number; readonly will: MqttMessage }
  | { readonly kind: 'subscribe'; readonly filter: string }
  | { readonly kind: 'publish'; readonly token: number; readonly publication: MqttMessage }
  /** Closes the connection with a DISCONNECT. No `closed` follows. */
  | { readonly kind: 'disconnect' }
  /** Closes the connection without one. No `closed` follows. */
  | { readonly kind: 'drop' }
  /**
   * Answered by `actuated`. The write before it may have taken long: nothing moves once the clock's counter is beyond
   * `untilCounterMs` (undefined: there is no such time), nor if the state of the vehicle forbids `command` to move
   * anything now (`actuationHindrance` in simulator/firmware/commands/actuation.ts). A rollback has no such limits.
   */
  | {
      readonly kind: 'actuate';
      readonly actuations: readonly Actuation[];
      readonly untilCounterMs?: number | undefined;
      readonly command?: CommandName;
    }
  /** Disables driving, as the box itself decided, if the vehicle is still left. Answered by `immobilized`. */
  | { readonly kind: 'immobilize' }
  | {
      readonly kind: 'answer-phone';
      readonly call: number;
      readonly outcome: PhoneOutcome;
      readonly detail: string;
    }
  /** The box is down, and boots for this reason after `downMs`. */
  | { readonly kind: 'reset'; readonly reason: ResetReason; readonly downMs: number };
