import { isFormerPresence, topics } from '../../protocol/topics.ts';
import { MqttRefused, type MqttSession, type MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { makeRetry, type Retry } from '../base/retry.ts';
import { NotSent } from '../commands/command-dispatcher.ts';
import { type BrokerClaim, makeBrokerClaim, OtherInstallation, refusalOf } from './broker-claim.ts';
import { type BrokerProbe, makeBrokerProbe } from './broker-probe.ts';

export interface MqttConnectionParts {
  readonly world: Pick<World, 'time' | 'random' | 'mqtt' | 'log'>;
  readonly account: { readonly clientId: string; readonly username: string; readonly password: string };
  readonly counters: Counters;
  readonly filters: readonly TopicFilter[];
  /** The broker must not belong to another installation; absent: this is not checked. */
  readonly installationId?: string | undefined;
  /** The random stream of its reconnect waits; absent: the connection is the only one. */
  readonly stream?: string;
  /** The session ends with its connection; absent: it is persistent. */
  readonly isClean?: boolean;
  /**
   * Called before each connect if several backends share the broker: what is known of the session there. `undefined`:
   * another backend has it now, and this connection is over. Rejects if this cannot be determined.
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

/** The frames and the presence of all boxes, and the presence topics from before partitions. */
export const EVERY_BOX: readonly TopicFilter[] = [
  { filter: topics.everyUp },
  { filter: topics.everyPresence },
  // A broker that allows only current topics has nothing on old ones.
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
  /**
   * Why the broker must not be used, if it belonged to another installation at the last attempt; absent: not reported.
   */
  refusal?(): string | undefined;
  /** Disconnects; no further session is opened. */
  stop(): Promise<void>;
  sever(): void;
}

/**
 * - opening: connecting, then subscribing.
 * - open: subscribed.
 * - waiting: until the next attempt.
 * - closing: disconnecting. Messages that arrive meanwhile are accepted: without an acknowledgement the broker may
 *   deliver them to the next session only after a delay.
 * - over: stopped or severed; late events are ignored.
 */
type State = 'opening' | 'open' | 'waiting' | 'closing' | 'over';

/** Opens the session and keeps it open. While a persistent session is closed the broker queues messages of boxes. */
export function startMqttConnection(parts: MqttConnectionParts): MqttConnection {
  return new ReopenedMqttConnection(parts);
}

class ReopenedMqttConnection implements MqttConnection {
  readonly started: Promise<void>;
  readonly #parts: MqttConnectionParts;
  readonly #world: MqttConnectionParts['world'];
  readonly #account: MqttConnectionParts['account'];
  readonly #counters: MqttConnectionParts['counters'];
  #state: State = 'opening';
  #isSevered = false;
  #refusal: string | undefined;
  #session: MqttSession | undefined;
  /** Of that session. */
  #probe: BrokerProbe | undefined;
  readonly #reconnect: Retry;
  readonly #started = Promise.withResolvers<void>();

  constructor(parts: MqttConnectionParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#account = parts.account;
    this.#counters = parts.counters;
    this.#reconnect = makeRetry({
      world: this.#world,
      chance: this.#world.random.stream(parts.stream ?? 'backend/uplink'),
      counters: this.#counters,
      counter: 'uplink.lost',
      warning: 'no session with the MQTT broker',
      open: () => this.#open(),
    });
    this.#open();
    this.started = this.#started.promise;
  }

  isOpen(): boolean {
    return this.#state === 'open';
  }

  refusal(): string | undefined {
    return this.#refusal;
  }

  send(topic: string, payload: Uint8Array): Promise<void> {
    // A severed process never gets a result.
    if (this.#isSevered) return new Promise(() => undefined);
    if (this.#session === undefined)
      return Promise.reject(new NotSent('There is no session with the broker.'));
    const sent = this.#session.publish({ topic, payload, retain: false });
    sent.then(this.#probe?.heard, () => undefined);
    return sent;
  }

  async stop(): Promise<void> {
    this.#state = 'closing';
    this.#reconnect.cancel();
    this.#probe?.stop();
    await this.#session?.end();
    this.#state = 'over';
  }

  sever(): void {
    this.#state = 'over';
    this.#isSevered = true;
    this.#reconnect.cancel();
    this.#probe?.stop();
    this.#session?.drop();
  }

  #open(): void {
    this.#state = 'opening';
    // The events of a session that was given up must not touch its successor.
    let isOver = false;
    const giveUp = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      this.#session = undefined;
      this.#probe?.stop();
      this.#parts.lost();
      this.#retry(reason);
    };
    const claim =
      this.#parts.installationId === undefined
        ? undefined
        : makeBrokerClaim({ time: this.#world.time, installationId: this.#parts.installationId });
    const events: MqttSessionEvents = {
      message: (topic, payload, retained, acknowledge) => {
        if (isOver || this.#state === 'over') return;
        const seen = this.#probe;
        seen?.held();
        const release = (): void => {
          seen?.released();
          acknowledge();
        };
        if (claim?.message(topic, payload, retained, release) === true) return;
        if (retained && isFormerPresence(topic)) this.#clear(topic, release);
        else this.#parts.message(topic, payload, retained, release);
      },
      closed: giveUp,
    };
    const options = {
      ...this.#account,
      clean: this.#parts.isClean === true,
      keepAliveS: limits.mqttKeepAliveS,
      connectTimeoutMs: limits.mqttConnectTimeoutMs,
    };
    const of = { isOver: () => isOver, giveUp, claim };
    const begun =
      this.#parts.begin === undefined
        ? this.#begin(options, events, { ...of, wasSubscribed: false })
        : this.#parts.begin().then((known) => {
            // Another backend has it; or it ended meanwhile, and must not end the session of its present holder.
            if (known === undefined || this.#isEnded()) return undefined;
            return this.#begin(options, events, { ...of, ...known });
          });
    begun.catch((error: unknown) => {
      this.#refusal = refusalOf(error);
      giveUp(String(error));
    });
  }

  async #begin(
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
    const opened = await this.#world.mqtt.open(options, events);
    if (isOver() || this.#isEnded()) {
      opened.drop();
      return;
    }
    this.#session = opened;
    this.#probe = makeBrokerProbe({
      time: this.#world.time,
      publish: () => opened.publish({ topic: topics.probe, payload: NOTHING, retain: false }),
      silent: () => {
        this.#counters.add('uplink.silent');
        giveUp('the broker keeps the connection and acknowledges nothing');
        opened.drop();
      },
    });
    try {
      if (claim !== undefined) await this.#refuseOthers(claim, opened);
      // A kept session still has its subscriptions, and subscribing again would deliver retained presence again.
      if (!(opened.present && wasSubscribed)) {
        for (const { filter, isOptional } of this.#parts.filters) {
          const subscribing = opened.subscribe(filter);
          await (isOptional === true ? subscribing.catch(ignoreRefusal) : subscribing);
        }
      }
      if (this.#parts.subscribed !== undefined) await this.#parts.subscribed();
    } catch (error) {
      // `closed` reports its end, unless the broker refused the filter and keeps the session.
      opened.drop();
      throw error;
    }
    if (isOver() || this.#isEnded()) return;
    this.#state = 'open';
    this.#refusal = undefined;
    this.#reconnect.reset();
    this.#counters.add('uplink.opened');
    this.#world.log.info({ resumed: opened.present }, 'connected to the MQTT broker');
    this.#started.resolve();
  }

  /** Rejects if the broker belongs to another installation. One that does not allow the topic is not checked. */
  async #refuseOthers(claim: BrokerClaim, opened: MqttSession): Promise<void> {
    const { installationId = '' } = this.#parts;
    const result = await claim.claim(opened).catch((error: unknown) => {
      ignoreRefusal(error);
      return undefined;
    });
    if (result?.kind !== 'others') return;
    this.#counters.add('uplink.refused');
    throw new OtherInstallation(installationId, result.holder);
  }

  /** Clears a retained message by an empty one (MQTT 3.1.1, 3.3.1.3). */
  #clear(topic: string, acknowledge: () => void): void {
    // If the connection ends first, the next one gets the message again.
    this.#session?.publish({ topic, payload: NOTHING, retain: true }).catch(() => undefined);
    acknowledge();
  }

  #isEnded(): boolean {
    return this.#state === 'closing' || this.#state === 'over';
  }

  #retry(reason: string): void {
    if (this.#isEnded()) return;
    this.#state = 'waiting';
    this.#reconnect.schedule(reason);
  }
}
