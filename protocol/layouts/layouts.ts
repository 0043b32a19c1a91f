import type { Generation } from '../message.ts';
import type { MessageKindName } from '../message-kinds.ts';
import type { RecordField } from './layout.ts';
import * as packed from './packed/messages.ts';
import * as tagged from './tagged/messages.ts';

/** The layout of each kind of message: generation 1 at fixed positions, generation 2 with tags. */
export const LAYOUTS: Readonly<Record<Generation, Readonly<Record<MessageKindName, RecordField>>>> = {
  1: {
    report: packed.report,
    heartbeat: packed.heartbeat,
    event: packed.event,
    reply: packed.reply,
    tombstone: packed.tombstone,
    access: packed.access,
    hello: packed.hello,
    'going-down': packed.goingDown,
    ready: packed.ready,
    birth: packed.birth,
    gone: packed.gone,
    receipt: packed.receipt,
    command: packed.command,
    configuration: packed.configuration,
    unreadable: packed.unreadable,
    resend: packed.resend,
  },
  2: {
    report: tagged.report,
    heartbeat: tagged.heartbeat,
    event: tagged.event,
    reply: tagged.reply,
    tombstone: tagged.tombstone,
    access: tagged.access,
    hello: tagged.hello,
    'going-down': tagged.goingDown,
    ready: tagged.ready,
    birth: tagged.birth,
    gone: tagged.gone,
    receipt: tagged.receipt,
    command: tagged.command,
    configuration: tagged.configuration,
    unreadable: tagged.unreadable,
    resend: tagged.resend,
  },
};
