import { MESSAGE_KINDS, type MessageKindName } from '../../../protocol/message-kinds.ts';
import type { Step } from '../document/scenario.ts';
import type { MessageKind } from './weather.ts';

/** The frames of the messages that can be picked; the others are no frames of a box. */
export const MESSAGE_FRAMES = {
  receipt: ['receipt'],
  'command-request': ['command', 'configuration'],
  'command-reply': ['reply'],
  record: ['report', 'heartbeat', 'event', 'access', 'tombstone'],
  hello: ['hello', 'ready'],
  birth: ['birth'],
} as const satisfies Partial<Record<MessageKind, readonly MessageKindName[]>>;

/** Whether the frame that triggers a message fault is such a message, and has arrived by then. */
export function hasArrived(frame: string, message: string): boolean {
  const frames: Readonly<Partial<Record<string, readonly string[]>>> = MESSAGE_FRAMES;
  return (
    frames[message]?.includes(frame) === true &&
    MESSAGE_KINDS.some(({ name, direction }) => name === frame && direction === 'down')
  );
}

/**
 * The message that a step can never affect: its trigger is a frame that its own box receives, and it picks the very
 * messages that include this frame. Undefined: there is none.
 */
export function arrivedMessage({ trigger, does }: Step): MessageKind | undefined {
  if (trigger?.name !== 'frame' || trigger.of !== 'same' || trigger.delayMs > 0) return undefined;
  if (does?.kind !== 'weather' || typeof does.weather.settings !== 'object') return undefined;
  const { settings } = does.weather;
  if (!('message' in settings)) return undefined;
  return hasArrived(trigger.settings, settings.message) ? settings.message : undefined;
}

/** The message that weather picks, as a document has it; empty: it picks none. */
export function pickedBy(weather: unknown): string {
  const [settings] = typeof weather === 'object' && weather !== null ? Object.values(weather) : [];
  return String((settings as { readonly message?: unknown } | undefined)?.message ?? '');
}
