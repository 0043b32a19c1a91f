import { isFormerPresence, topics } from '../../protocol/topics.ts';
import { MqttRefused, type MqttSession, type MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import type { World } from '../../world/world.ts';
import { NotSent } from '../commands/command-dispatcher.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { makeRetry } from '../retry.ts';
import { type BrokerClaim, makeBrokerClaim, OtherInstallation, refusalOf } from './broker-claim.ts';
import { type BrokerProbe, makeBrokerProbe } from './broker-probe.ts';

export interface MqttConnectionParts {
  readonly world: Pick<World, 'time' | 'random' | 'mqtt' | 'log'>;
  readonly account: { readonly clientId: string; readonly username: string; readonly password: string };
  readonly counters: Counters;
  readonly filters: readonly TopicFilter[];
  /** The broker must be no other installation's; absent: that is not looked at. */
  readonly installationId?: string | undefined;
  /** Of its waits before it connects again; absent: the connection is the only one. */
  readonly stream?: string;
  /** Nothing outlives a connection; absent: the session is persistent. */
  readonly isClean?: boolean;
  /**
   * Asked before each connect, where several backends share the broker: what is known of the session there. `undefined`: it
   * is another backend's now, and this connection is over. Rejects where that cannot be found out.
   */
  begin?(): Promise<{ readonly wasSubscribed: boolean } | undefined>;
  /** The session has its subscriptions at the broker. */
  subscribed?(): Promise<void>;
  message: MqttSessionEvents['message'];
  /** A session has ended; its held acknowledgements are void. */
  lost(): void;
}

/** What a session is subscribed to. */
export interface TopicFilter {
  readonly filter: string;
  /** A broker may refuse it. */
  readonly isOptional?: boolean;
}

/** The frames and the presence of all boxes, and where presence was before there were partitions. */
export const EVERY_BOX: readonly TopicFilter[] = [
  { filter: topics.everyUp },
  { filter: topics.everyPresence },
  // A broker that knows the topics of today alone holds nothing on others.
  { filter: topics.everyFormerPresence, isOptional: true },
];

const NOTHING = new Uint8Array();

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof MqttRefused)) throw error;
}

/** The backend's session with the MQTT broker, reopened whenever it ends. */
export interface MqttConnection {
  /** Resolves once a session is open and subscribed for the first time. */
  readonly started: Promise<void>;
  /**
   * Resolves with the broker's acknowledgement. Rejects with `NotSent` without a session, else
   * `MqttConnectionLost`.
   */
  send(topic: string, payload: Uint8Array): Promise<void>;
  /** A session is open and subscribed. */
  isOpen(): boolean;
  /** Why the broker must not be used, where the last attempt found it another installation's; absent: that is not told. */
  refusal?(): string | undefined;
  /** Disconnects; no further session is opened. */
  stop(): Promise<void>;
  sever(): void;
}

/**
 * - opening: connecting, then subscribing.
 * - open: subscribed.
 * - waiting: until the next attempt.
 * - closing: disconnecting. What the broker has sent meanwhile is taken: one that gets no acknowledgement may hand it to
 *   the next session only after a while.
 * - over: stopped or severed; late events are ignored.
 */
type State = 'opening' | 'open' | 'waiting' | 'closing' | 'over';

/**
 * Opens the session and keeps it open. One that is persistent: while it is closed the broker keeps what boxes
 * publish.
 */
export function startMqttConnection(parts: MqttConnectionParts): MqttConnection {
  const { world, account, counters } = parts;
  let state: State = 'opening';
  let isSevered = false;
  let refusal: string | undefined;
  let session: MqttSession | undefined;
  /** Of that session. */
  let probe: BrokerProbe | undefined;
  const reconnect = makeRetry({
    world,
    chance: world.random.stream(parts.stream ?? 'backend/uplink'),
    counters,
    counter: 'uplink.lost',
    warning: 'no session with the MQTT broker',
    open,
  });
  let resolveStarted = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    resolveStarted = resolve;
  });

  function open(): void {
    state = 'opening';
    // The events of a session that was given up must not touch its successor.
    let isOver = false;
    const giveUp = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      session = undefined;
      probe?.stop();
      parts.lost();
      retry(reason);
    };
    const claim =
      parts.installationId === undefined
        ? undefined
        : makeBrokerClaim({ time: world.time, installationId: parts.installationId });
    const events: MqttSessionEvents = {
      message: (topic, payload, retained, acknowledge) => {
        if (isOver || state === 'over') return;
        const seen = probe;
        seen?.held();
        const release = (): void => {
          seen?.released();
          acknowledge();
        };
        if (claim?.message(topic, payload, retained, release) === true) return;
        if (retained && isFormerPresence(topic)) clear(topic, release);
        else parts.message(topic, payload, retained, release);
      },
      closed: giveUp,
    };
    const options = {
      ...account,
      clean: parts.isClean === true,
      keepAliveS: limits.mqttKeepAliveS,
      connectTimeoutMs: limits.mqttConnectTimeoutMs,
    };
    const of = { isOver: () => isOver, giveUp, claim };
    const begun =
      parts.begin === undefined
        ? begin(options, events, { ...of, wasSubscribed: false })
        : parts.begin().then((known) => {
            // It is another backend's; or ended meanwhile, it must not put out whoever has the session now.
            if (known === undefined || isEnded()) return undefined;
            return begin(options, events, { ...of, ...known });
          });
    begun.catch((error: unknown) => {
      refusal = refusalOf(error);
      giveUp(String(error));
    });
  }

  async function begin(
    options: Parameters<World['mqtt']['open']>[0],
    events: MqttSessionEvents,
    {
      isOver,
      giveUp,
      wasSubscribed,
      claim,
    }: {
      isOver(): boolean;
      giveUp(reason: string): void;
      readonly wasSubscribed: boolean;
      readonly claim: BrokerClaim | undefined;
    },
  ): Promise<void> {
    const opened = await world.mqtt.open(options, events);
    if (isOver() || isEnded()) {
      opened.drop();
      return;
    }
    session = opened;
    probe = makeBrokerProbe({
      time: world.time,
      publish: () => opened.publish({ topic: topics.probe, payload: NOTHING, retain: false }),
      silent: () => {
        counters.add('uplink.silent');
        giveUp('the broker keeps the connection and acknowledges nothing');
        opened.drop();
      },
    });
    try {
      if (claim !== undefined) await refuseOthers(claim, opened);
      // A session that the broker kept has its subscriptions, and a new one would bring retained presence again.
      if (!(opened.present && wasSubscribed)) {
        for (const { filter, isOptional } of parts.filters) {
          const subscribing = opened.subscribe(filter);
          await (isOptional === true ? subscribing.catch(ignoreRefusal) : subscribing);
        }
      }
      if (parts.subscribed !== undefined) await parts.subscribed();
    } catch (error) {
      // `closed` reports its end, unless the broker refused the filter and keeps the session.
      opened.drop();
      throw error;
    }
    if (isOver() || isEnded()) return;
    state = 'open';
    refusal = undefined;
    reconnect.reset();
    counters.add('uplink.opened');
    world.log.info({ resumed: opened.present }, 'connected to the MQTT broker');
    resolveStarted();
  }

  /** Rejects where another installation has the broker. One that does not allow the topic is not asked. */
  async function refuseOthers(claim: BrokerClaim, opened: MqttSession): Promise<void> {
    const { installationId = '' } = parts;
    const result = await claim.claim(opened).catch((error: unknown) => {
      ignoreRefusal(error);
      return undefined;
    });
    if (result?.kind !== 'others') return;
    counters.add('uplink.refused');
    throw new OtherInstallation(installationId, result.holder);
  }

  /** Takes a retained message from the broker, by an empty one (MQTT 3.1.1, 3.3.1.3). */
  function clear(topic: string, acknowledge: () => void): void {
    // If the connection ends before, the next one is given the message again.
    session?.publish({ topic, payload: NOTHING, retain: true }).catch(() => undefined);
    acknowledge();
  }

  const isEnded = (): boolean => state === 'closing' || state === 'over';

  function retry(reason: string): void {
    if (isEnded()) return;
    state = 'waiting';
    reconnect.schedule(reason);
  }

  open();
  return {
    started,
    isOpen: () => state === 'open',
    refusal: () => refusal,
    send(topic, payload) {
      // A severed process never gets a result.
      if (isSevered) return new Promise(() => undefined);
      if (session === undefined) return Promise.reject(new NotSent('There is no session with the broker.'));
      const sent = session.publish({ topic, payload, retain: false });
      sent.then(probe?.heard, () => undefined);
      return sent;
    },
    async stop() {
      state = 'closing';
      reconnect.cancel();
      probe?.stop();
      await session?.end();
      state = 'over';
    },
    sever() {
      state = 'over';
      isSevered = true;
      reconnect.cancel();
      probe?.stop();
      session?.drop();
    },
  };
}
