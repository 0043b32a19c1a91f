import { z } from 'zod';
import { TOPICS } from '../../../contract/messages.ts';
import { MESSAGE_KINDS } from '../../../protocol/message-kinds.ts';
import { BOTH_WORLDS, type ChosenWord, type WordTable, wordRow } from '../document/word-row.ts';
import { CRASH_POINTS, type CrashPoint } from './backend-breaks.ts';

/** The triggers of a step: `when: { frame: reply }`. */
export const TRIGGERS = {
  frame: wordRow({
    settings: z.enum(MESSAGE_KINDS.map(({ name }) => name)),
    does: 'The box sends or receives a frame of this kind (docs/wire.md). What the step then does meets a frame that the box sends on its way, and messages that it picks (`lose`, `delay`, `double`, `reorder`) begin with this very one. A frame that the box receives has arrived: what is to meet it has to begin earlier, and a step that would pick it is refused.',
    example: 'reply',
    worlds: BOTH_WORLDS,
  }),
  message: wordRow({
    settings: z.enum(TOPICS.map(({ message }) => message)),
    does: 'A message of this name about the vehicle comes to lie in a queue.',
    example: 'VehicleStateReceived',
    worlds: BOTH_WORLDS,
  }),
  session: wordRow({
    settings: z.enum(['off', 'offline', 'connecting', 'connected', 'ready']),
    does: 'The session of the box, as it believes itself, becomes this.',
    example: 'ready',
    worlds: BOTH_WORLDS,
  }),
  point: wordRow({
    settings: z.enum(Object.keys(CRASH_POINTS) as CrashPoint[]),
    does: 'The backend comes to this point, one of those at which it can crash. It is of no vehicle: `of` does not go with it.',
    example: 'after-commit',
    worlds: BOTH_WORLDS,
  }),
} as const satisfies WordTable;

/** Whose frame, message or session it is. */
export const TRIGGER_OF = {
  same: 'Each vehicle that the step selects: the step is done to each at its own time, once. So it is without `of`.',
  any: 'Any vehicle of the fleet: the step is done once, to all that it selects.',
} as const;

/** A trigger as read: `{ name: 'frame', settings: 'reply', of: 'same', withinMs: 600000 }`. */
export type Trigger = ChosenWord<typeof TRIGGERS> & {
  /** With `point` always `any`. */
  readonly of: keyof typeof TRIGGER_OF;
  /** How long the step waits for it; a later event does not count. */
  readonly withinMs: number;
};
