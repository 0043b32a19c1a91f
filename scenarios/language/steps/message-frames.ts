import { MESSAGE_KINDS, type MessageKindName } from '../../../protocol/codec/kinds.ts';
import type { Step } from '../document/scenario.ts';
import type { MessageKind } from './weather.ts';

/** The frames in which a message that can be picked is known; the others are no frames of a box. */
export const MESSAGE_FRAMES = {
  receipt: ['receipt'],
  'command-request': ['command', 'configuration'],
  'command-reply': ['reply'],
  record: ['report', 'heartbeat', 'event', 'access', 'tombstone'],
  hello: ['hello', 'ready'],
  birth: ['birth'],
} as const satisfies Partial<Record<MessageKind, readonly MessageKindName[]>>;

/** Whether the frame with which a message fault is to begin is such a message, and one that has arrived by then. */
export function hasArrived(frame: string, message: string): boolean {
  const frames: Readonly<Partial<Record<string, readonly string[]>>> = MESSAGE_FRAMES;
  return (
    frames[message]?.includes(frame) === true &&
    MESSAGE_KINDS.some(({ name, direction }) => name === frame && direction === 'down')
  );
}

/**
 * The message that a step can never meet: it begins with a frame that its own box receives, and picks the very messages that
 * this frame is one of. Undefined: there is none.
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
