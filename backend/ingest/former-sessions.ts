import { topics } from '../../protocol/topics.ts';
import { MqttRefused, type MqttSession, type MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import { sleep } from '../../world/time/time.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { makeRetry, type Retry } from '../base/retry.ts';
import { type BrokerClaim, makeBrokerClaim, OtherInstallation, refusalOf } from './broker-claim.ts';
import type { MqttConnectionParts } from './mqtt-connection.ts';

/**
 * The persistent sessions that an installation has at its MQTT broker: `one` for all boxes, or one for each of the
 * `partitions`. A retained message on `topics.sessions` lists those that the broker may still keep.
 */
export type SessionKind = 'one' | 'partitions';

const KINDS: readonly SessionKind[] = ['one', 'partitions'];

export interface FormerSessionsParts {
  readonly world: Pick<World, 'time' | 'random' | 'mqtt' | 'log'>;
  readonly account: MqttConnectionParts['account'];
  readonly counters: Counters;
  readonly installationId: string;
  /** Of the checking connection; no other backend has it. */
  readonly lookingClientId: string;
  /** The kind that this installation has from now on. */
  readonly kind: SessionKind;
  /** The client ids of the other kind. */
  readonly clientIds: readonly string[];
  /** Whether this backend, and no other, does it. */
  isOursToDo(): boolean;
  /** A message that the broker kept for a former session. */
  message(
    topic: string,
    payload: Uint8Array,
    retained: boolean,
    acknowledge: () => void,
    session: object,
  ): void;
  /** That session has ended; its held acknowledgements are void. */
  lost(session: object): void;
  /** Whether all messages given to `message` are committed. */
  isIdle(): boolean;
  /** The session is severed: nothing more of it may be committed. */
  severed(): void;
}

/** The sessions that the same installation had at the broker when it was one backend, or when it was several. */
export interface FormerSessions {
  /**
   * Resolves once the broker keeps none of them. Sessions of the new kind are opened after that, so older messages come
   * first.
   */
  readonly ended: Promise<void>;
  /**
   * Why the broker must not be used, if it belongs to another installation; undefined: it may be used, or this is
   * unknown.
   */
  refusal(): string | undefined;
  sever(): void;
}

/**
 * Drains and removes the sessions of the other kind: otherwise the broker would keep queueing messages of boxes for
 * them. Boxes resend what they publish between the end of these sessions and the new subscriptions: they get no receipt
 * for it.
 */
export function endFormerSessions(parts: FormerSessionsParts): FormerSessions {
  return new FormerSessionsEnd(parts);
}

class FormerSessionsEnd implements FormerSessions {
  readonly ended: Promise<void>;
  readonly #parts: FormerSessionsParts;
  readonly #world: FormerSessionsParts['world'];
  readonly #counters: FormerSessionsParts['counters'];
  readonly #kind: FormerSessionsParts['kind'];
  readonly #time: FormerSessionsParts['world']['time'];
  readonly #mqtt: World['mqtt'];
  readonly #open = new Set<MqttSession>();
  #isSevered = false;
  #refusal: string | undefined;
  readonly #ended = Promise.withResolvers<void>();
  readonly #retry: Retry;

  constructor(parts: FormerSessionsParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#counters = parts.counters;
    this.#kind = parts.kind;
    this.#time = this.#world.time;
    this.#mqtt = this.#world.mqtt;
    this.#retry = makeRetry({
      world: this.#world,
      counters: this.#counters,
      chance: this.#world.random.stream('backend/former-sessions'),
      counter: 'formerSessions.failed',
      warning: 'stale sessions are not removed from the MQTT broker yet',
      open: () => this.#attempt(),
    });
    this.#attempt();
    this.ended = this.#ended.promise;
  }

  refusal(): string | undefined {
    return this.#refusal;
  }

  sever(): void {
    this.#isSevered = true;
    this.#retry.cancel();
    for (const session of this.#open) session.drop();
    this.#open.clear();
    this.#parts.severed();
  }

  #attempt(): void {
    this.#look().then(this.#ended.resolve, (error: unknown) => {
      this.#refusal = refusalOf(error);
      if (!this.#isSevered) this.#retry.schedule(String(error));
    });
  }

  async #connect(
    clientId: string,
    clean: boolean,
    events: Partial<MqttSessionEvents> = {},
  ): Promise<MqttSession> {
    const options = {
      ...this.#parts.account,
      clientId,
      clean,
      keepAliveS: limits.mqttKeepAliveS,
      connectTimeoutMs: limits.mqttConnectTimeoutMs,
    };
    const session = await this.#mqtt.open(options, {
      message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
      closed: () => undefined,
      ...events,
    });
    this.#open.add(session);
    if (!this.#isSevered) return session;
    session.drop();
    throw new Error('This backend has ended.');
  }

  async #close(session: MqttSession): Promise<void> {
    this.#open.delete(session);
    await session.end();
  }

  /** One attempt over one connection. Rejects if it ends, or if the broker belongs to another installation. */
  async #look(): Promise<void> {
    const claim = makeBrokerClaim({ time: this.#time, installationId: this.#parts.installationId });
    const kinds = lastText(topics.sessions);
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    const session = await this.#connect(this.#parts.lookingClientId, true, {
      message: (...message) => {
        if (!claim.message(...message) && !kinds.message(...message)) message[3]();
      },
      closed: (reason) => lost.reject(new Error(reason)),
    });
    try {
      const isAllowed = await Promise.all([
        session.subscribe(topics.installation),
        session.subscribe(topics.sessions),
      ]).then(() => true, refused);
      if (!isAllowed) return this.#warnOfTopic();
      const result = await claim.claim(session);
      if (result.kind === 'others') {
        this.#counters.add('uplink.refused');
        throw new OtherInstallation(this.#parts.installationId, result.holder);
      }
      this.#refusal = undefined;
      await Promise.race([this.#endOthers(session, kinds.text), lost.promise]);
      if (kinds.text() === undefined) this.#warnOfTopic();
    } finally {
      await this.#close(session);
    }
  }

  #warnOfTopic(): void {
    this.#world.log.warn(
      { topic: topics.sessions },
      'the MQTT broker denies the backend this topic: the existing sessions are unknown',
    );
  }

  /** Ends them, or waits until another backend has done so. */
  async #endOthers(session: MqttSession, heldText: () => string | undefined): Promise<void> {
    const tell = (kinds: readonly SessionKind[]) =>
      session.publish({
        topic: topics.sessions,
        payload: new TextEncoder().encode(writeSessionKinds(kinds)),
        retain: true,
      });
    const beganMs = this.#time.nowMs();
    while (heldText() !== this.#kind) {
      const waitedMs = this.#time.nowMs() - beganMs;
      // A retained message follows the broker's answer at once; nothing signals its absence.
      const isKnown = heldText() !== undefined || waitedMs >= limits.brokerHolderMs;
      if (isKnown && this.#parts.isOursToDo()) {
        // From here on both kinds may exist, also for a backend that reverts to the other kind before this is done.
        await tell(KINDS);
        await this.#endAll();
        return tell([this.#kind]);
      }
      if (heldText() === undefined && waitedMs >= limits.formerSilentMs) return;
      await sleep(this.#time, limits.formerLookMs);
    }
  }

  async #endAll(): Promise<void> {
    const left = [...this.#parts.clientIds];
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await this.#endOne(next);
    };
    await Promise.all(Array.from({ length: limits.formerSessionsAtOnce }, worker));
  }

  /**
   * Receives what the broker keeps for a session, and removes the session: a clean connect ends its state (MQTT 3.1.1,
   * 3.1.2.4).
   */
  async #endOne(clientId: string): Promise<void> {
    if (await this.#drain(clientId)) {
      this.#counters.add('formerSessions.ended');
      this.#world.log.info({ clientId }, 'removed a stale session from the MQTT broker');
    }
    await this.#close(await this.#connect(clientId, true));
  }

  /** Resolves with whether there was one, once what the broker kept for it is committed. */
  async #drain(clientId: string): Promise<boolean> {
    const key = {};
    let lastMs = this.#time.nowMs();
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    const session = await this.#connect(clientId, false, {
      message: (topic, payload, retained, acknowledge) => {
        // A session that was being opened may still deliver messages: the broker keeps them.
        if (this.#isSevered) return;
        lastMs = this.#time.nowMs();
        if (topic === topics.installation) acknowledge();
        else this.#parts.message(topic, payload, retained, acknowledge, key);
      },
      closed: (reason) => {
        this.#parts.lost(key);
        lost.reject(new Error(reason));
      },
    });
    try {
      if (session.present) await Promise.race([this.#quiet(() => lastMs), lost.promise]);
    } finally {
      await this.#close(session);
    }
    return session.present;
  }

  /** Resolves once nothing has come, and all is committed, for a while. */
  async #quiet(lastMessageMs: () => number): Promise<void> {
    const latestMs = this.#time.nowMs() + limits.formerDrainMs;
    let busyMs = this.#time.nowMs();
    while (this.#time.nowMs() < latestMs) {
      // With a slow store the broker waits for acknowledgements, and delivers more after them.
      busyMs = this.#parts.isIdle() ? Math.max(busyMs, lastMessageMs()) : this.#time.nowMs();
      if (this.#time.nowMs() - busyMs >= limits.formerQuietMs) return;
      await sleep(this.#time, limits.formerLookMs / 4);
    }
  }
}

/** `false` for a refused filter; any other error is rethrown. */
function refused(error: unknown): boolean {
  if (error instanceof MqttRefused) return false;
  throw error;
}

/** The last text on `topic` of one session. */
function lastText(topic: string): Pick<BrokerClaim, 'message'> & { text(): string | undefined } {
  let text: string | undefined;
  return {
    message(messageTopic, payload, _isRetained, acknowledge) {
      if (messageTopic !== topic) return false;
      acknowledge();
      text = payload.byteLength === 0 ? undefined : new TextDecoder().decode(payload);
      return true;
    },
    text: () => text,
  };
}

/** The retained text for these kinds: their names, separated by a space. */
function writeSessionKinds(kinds: readonly SessionKind[]): string {
  return KINDS.filter((one) => kinds.includes(one)).join(' ');
}
