import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { IngestStore } from '../store/ingest-store.ts';
import type { OutboxRow } from '../store/outbox-store.ts';
import { within } from '../within.ts';
import { afterForgetting } from './broker-is-new.ts';
import { makeCommitter } from './committer.ts';
import { makeFramesDown } from './frames-down.ts';
import { Intake } from './intake.ts';
import type { Translate } from './plan.ts';
import { makePump } from './pump.ts';
import { makeTroubleLog } from './trouble-log.ts';
import { startUplink } from './uplink.ts';

export interface IngestParts {
  readonly world: Pick<World, 'time' | 'random' | 'mint' | 'link' | 'trace' | 'log'>;
  readonly store: IngestStore;
  readonly account: { readonly clientId: string; readonly username: string; readonly password: string };
  readonly translate: Translate;
  readonly hasExchange: boolean;
  readonly counters: Counters;
  /** The broker has begun without sessions, so no connection that the store knows as open stands. */
  readonly brokerIsNew?: boolean;
  /** Outcomes of these requests are in the store. */
  settled(requestIds: readonly string[]): void;
  /** These boxes take commands now and were not known to before; the store knows it already. */
  ready?(boxIds: readonly string[]): void;
  /** Messages are in the outbox: these, or whichever are found there. */
  written(rows: readonly OutboxRow[] | undefined): void;
}

/** The way up: from the broker to the commit, and the receipts down. */
export interface Ingest {
  readonly started: Promise<void>;
  send(topic: string, bytes: Uint8Array): Promise<void>;
  condition(): IngestCondition;
  stop(): Promise<void>;
  sever(): void;
}

/** How it stands with the way up at this moment. */
export interface IngestCondition {
  /** There is a session with the MQTT broker. */
  readonly isLinked: boolean;
  /** The last commit failed for the store's sake. */
  readonly isStoreFailing: boolean;
  /** How full the intake is: 0 to 1, and a little beyond. */
  readonly fill: number;
  /** The MQTT broker is held back. */
  readonly isBraking: boolean;
}

/** Starts the way up at once. */
export function startIngest(parts: IngestParts): Ingest {
  const { world, counters } = parts;
  const intake = new Intake({
    payloads: limits.intakePayloads,
    bytes: limits.intakeBytes,
    resumeFraction: limits.intakeResumeFraction,
  });
  const logTroubles = makeTroubleLog(world.log);
  let isStopping = false;
  const committer = makeCommitter(parts);
  const pump = makePump({
    world,
    intake,
    counters,
    commit: parts.brokerIsNew === true ? afterForgetting(parts, committer) : committer,
    committed: (result) => {
      framesDown.send(result.down);
      logTroubles(result.troubles);
      if (result.settled.length > 0) parts.settled(result.settled);
      if (result.ready.length > 0) parts.ready?.(result.ready);
      if (result.messages > 0) parts.written(result.written);
    },
  });
  const uplink = startUplink({
    world,
    counters,
    account: parts.account,
    message: (topic, bytes, retained, acknowledge) => {
      // Without its acknowledgement the broker keeps it for the next session.
      if (isStopping) return;
      intake.take({ topic, bytes, retained, receivedMs: world.time.nowMs() }, acknowledge);
      if (intake.isBraking) counters.add('intake.braked');
      pump.wake();
    },
    lost: () => intake.forgetHeld(),
  });
  const framesDown = makeFramesDown({ world, counters, send: uplink.send });

  return {
    started: uplink.started,
    send: uplink.send,
    condition: () => ({
      isLinked: uplink.isOpen(),
      isStoreFailing: pump.isFailing(),
      fill: intake.fill,
      isBraking: intake.isBraking,
    }),
    async stop() {
      isStopping = true;
      await pump.drain();
      pump.sever();
      await within(world.time, limits.stopMs, framesDown.settled());
      await uplink.stop();
    },
    sever() {
      isStopping = true;
      pump.sever();
      uplink.sever();
    },
  };
}
