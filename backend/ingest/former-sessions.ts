import { topics } from '../../protocol/topics.ts';
import { MqttRefused, type MqttSession, type MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import { sleep } from '../../world/time/time.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { makeRetry } from '../retry.ts';
import { type BrokerClaim, makeBrokerClaim, OtherInstallation, refusalOf } from './broker-claim.ts';
import type { MqttConnectionParts } from './mqtt-connection.ts';

/**
 * The persistent sessions that an installation has at its MQTT broker: `one` for all boxes, or one for each of the
 * `partitions`. Which of them the broker may still keep stands in a retained message on `topics.sessions`.
 */
export type SessionKind = 'one' | 'partitions';

const KINDS: readonly SessionKind[] = ['one', 'partitions'];

export interface FormerSessionsParts {
  readonly world: Pick<World, 'time' | 'random' | 'mqtt' | 'log'>;
  readonly account: MqttConnectionParts['account'];
  readonly counters: Counters;
  readonly installationId: string;
  /** Of the connection that looks: no other backend's. */
  readonly lookingClientId: string;
  /** What this installation has from now on. */
  readonly kind: SessionKind;
  /** The client ids of the other kind. */
  readonly clientIds: readonly string[];
  /** Of several backends one does it. */
  isOursToDo(): boolean;
  /** What the broker kept for a former session. */
  message(
    topic: string,
    payload: Uint8Array,
    retained: boolean,
    acknowledge: () => void,
    session: object,
  ): void;
  /** That session has ended; its held acknowledgements are void. */
  lost(session: object): void;
  /** All that was given to `message` is committed. */
  isIdle(): boolean;
  /** Nothing more of it may be committed. */
  severed(): void;
}

/** The sessions that the same installation had at the broker when it was one backend, or when it was several. */
export interface FormerSessions {
  /** Resolves once the broker keeps none of them. Sessions of the new kind are opened after that: what is older comes first. */
  readonly ended: Promise<void>;
  /** Why the broker must not be used, where it is another installation's; undefined: it may be, or that is not known. */
  refusal(): string | undefined;
  sever(): void;
}

/**
 * Drains and removes the sessions of the other kind: a broker would go on keeping for them what boxes publish, and nobody
 * would ever take it. What is published between their end and the new subscriptions the boxes send again: they get no
 * receipt for it.
 */
export function endFormerSessions(parts: FormerSessionsParts): FormerSessions {
  const { world, counters, kind } = parts;
  const { time, mqtt } = world;
  const open = new Set<MqttSession>();
  let isSevered = false;
  let refusal: string | undefined;
  const ended = Promise.withResolvers<void>();
  const retry = makeRetry({
    ...{ world, counters, chance: world.random.stream('backend/former-sessions') },
    ...{ counter: 'formerSessions.failed', warning: 'sessions of the other kind are not ended yet' },
    open: attempt,
  });

  function attempt(): void {
    look().then(ended.resolve, (error: unknown) => {
      refusal = refusalOf(error);
      if (!isSevered) retry.schedule(String(error));
    });
  }

  async function connect(
    clientId: string,
    clean: boolean,
    events: Partial<MqttSessionEvents> = {},
  ): Promise<MqttSession> {
    const options = {
      ...{ ...parts.account, clientId, clean },
      ...{ keepAliveS: limits.mqttKeepAliveS, connectTimeoutMs: limits.mqttConnectTimeoutMs },
    };
    const session = await mqtt.open(options, {
      message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
      closed: () => undefined,
      ...events,
    });
    open.add(session);
    if (!isSevered) return session;
    session.drop();
    throw new Error('This backend has ended.');
  }

  async function close(session: MqttSession): Promise<void> {
    open.delete(session);
    await session.end();
  }

  /** One attempt over one connection. Rejects where it ends, or where the broker is another installation's. */
  async function look(): Promise<void> {
    const claim = makeBrokerClaim({ time, installationId: parts.installationId });
    const kinds = lastText(topics.sessions);
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    const session = await connect(parts.lookingClientId, true, {
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
      if (!isAllowed) return warnOfTopic();
      const result = await claim.claim(session);
      if (result.kind === 'others') {
        counters.add('uplink.refused');
        throw new OtherInstallation(parts.installationId, result.holder);
      }
      refusal = undefined;
      await Promise.race([endOthers(session, kinds.text), lost.promise]);
      if (kinds.text() === undefined) warnOfTopic();
    } finally {
      await close(session);
    }
  }

  function warnOfTopic(): void {
    world.log.warn(
      { topic: topics.sessions },
      'the MQTT broker does not allow this topic to the backend: it cannot be told which sessions are there',
    );
  }

  /** Ends them, or waits until another backend has. */
  async function endOthers(session: MqttSession, heldText: () => string | undefined): Promise<void> {
    const tell = (kinds: readonly SessionKind[]) =>
      session.publish({
        ...{
          topic: topics.sessions,
          payload: new TextEncoder().encode(writeSessionKinds(kinds)),
          retain: true,
        },
      });
    const beganMs = time.nowMs();
    while (heldText() !== kind) {
      const waitedMs = time.nowMs() - beganMs;
      // What the broker retains follows its answer at once; that there is nothing, no broker says.
      const isKnown = heldText() !== undefined || waitedMs >= limits.brokerHolderMs;
      if (isKnown && parts.isOursToDo()) {
        // From here on there may be some of both, also for whoever goes back to the other kind before this is done.
        await tell(KINDS);
        await endAll();
        return tell([kind]);
      }
      if (heldText() === undefined && waitedMs >= limits.formerSilentMs) return;
      await sleep(time, limits.formerLookMs);
    }
  }

  async function endAll(): Promise<void> {
    const left = [...parts.clientIds];
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await endOne(next);
    };
    await Promise.all(Array.from({ length: limits.formerSessionsAtOnce }, worker));
  }

  /** Takes what the broker keeps for a session, and removes it: a clean connect ends its state (MQTT 3.1.1, 3.1.2.4). */
  async function endOne(clientId: string): Promise<void> {
    if (await drain(clientId)) {
      counters.add('formerSessions.ended');
      world.log.info({ clientId }, 'a session of the other kind is ended at the MQTT broker');
    }
    await close(await connect(clientId, true));
  }

  /** Resolves with whether there was one, once what the broker kept for it is committed. */
  async function drain(clientId: string): Promise<boolean> {
    const key = {};
    let lastMs = time.nowMs();
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    const session = await connect(clientId, false, {
      message: (topic, payload, retained, acknowledge) => {
        // One that was being opened may still bring something: the broker keeps it.
        if (isSevered) return;
        lastMs = time.nowMs();
        if (topic === topics.installation) acknowledge();
        else parts.message(topic, payload, retained, acknowledge, key);
      },
      closed: (reason) => {
        parts.lost(key);
        lost.reject(new Error(reason));
      },
    });
    try {
      if (session.present) await Promise.race([quiet(() => lastMs), lost.promise]);
    } finally {
      await close(session);
    }
    return session.present;
  }

  /** Resolves once nothing has come, and all is committed, for a while. */
  async function quiet(lastMessageMs: () => number): Promise<void> {
    const latestMs = time.nowMs() + limits.formerDrainMs;
    let busyMs = time.nowMs();
    while (time.nowMs() < latestMs) {
      // Where the store is slow, the broker waits for acknowledgements, and has more after them.
      busyMs = parts.isIdle() ? Math.max(busyMs, lastMessageMs()) : time.nowMs();
      if (time.nowMs() - busyMs >= limits.formerQuietMs) return;
      await sleep(time, limits.formerLookMs / 4);
    }
  }

  attempt();
  return {
    ended: ended.promise,
    refusal: () => refusal,
    sever() {
      isSevered = true;
      retry.cancel();
      for (const session of open) session.drop();
      open.clear();
      parts.severed();
    },
  };
}

/** For a refused filter `false`; any other error is thrown on. */
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
