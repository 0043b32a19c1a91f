import type { Frame } from '../../protocol/message.ts';

/** The counts of frames, as words that are there already: one is looked up for each frame. */
export const FRAME_COUNTS = {
  receipt: 'frames.receipt',
  command: 'frames.command',
  configuration: 'frames.configuration',
  unreadable: 'frames.unreadable',
  hello: 'frames.hello',
  ready: 'frames.ready',
  birth: 'frames.birth',
  gone: 'frames.gone',
  'going-down': 'frames.going-down',
  report: 'frames.report',
  heartbeat: 'frames.heartbeat',
  event: 'frames.event',
  reply: 'frames.reply',
  access: 'frames.access',
  tombstone: 'frames.tombstone',
} as const satisfies Readonly<Record<Frame['message']['kind'], string>>;
