import type { MessageKindName } from '../codec/kinds.ts';
import type { Generation } from '../message.ts';
import type { RecordField } from './layout.ts';
import * as fixedDown from './packed/down.ts';
import * as fixedRecords from './packed/records.ts';
import * as fixedSession from './packed/session.ts';
import * as taggedDown from './tagged/down.ts';
import * as taggedRecords from './tagged/records.ts';
import * as taggedSession from './tagged/session.ts';

/** The layout of each kind of message: generation 1 at fixed positions, generation 2 with tags. */
export const LAYOUTS: Readonly<Record<Generation, Readonly<Record<MessageKindName, RecordField>>>> = {
  1: {
    report: fixedRecords.report,
    heartbeat: fixedRecords.heartbeat,
    event: fixedRecords.event,
    reply: fixedRecords.reply,
    tombstone: fixedRecords.tombstone,
    access: fixedRecords.access,
    hello: fixedSession.hello,
    'going-down': fixedSession.goingDown,
    ready: fixedSession.ready,
    birth: fixedSession.birth,
    gone: fixedSession.gone,
    receipt: fixedDown.receipt,
    command: fixedDown.command,
    configuration: fixedDown.configuration,
    unreadable: fixedDown.unreadable,
    resend: fixedDown.resend,
  },
  2: {
    report: taggedRecords.report,
    heartbeat: taggedRecords.heartbeat,
    event: taggedRecords.event,
    reply: taggedRecords.reply,
    tombstone: taggedRecords.tombstone,
    access: taggedRecords.access,
    hello: taggedSession.hello,
    'going-down': taggedSession.goingDown,
    ready: taggedSession.ready,
    birth: taggedSession.birth,
    gone: taggedSession.gone,
    receipt: taggedDown.receipt,
    command: taggedDown.command,
    configuration: taggedDown.configuration,
    unreadable: taggedDown.unreadable,
    resend: taggedDown.resend,
  },
};
