import { type Channel, topics } from '../../../protocol/topics.ts';
import type {
  MqttClient,
  MqttConnectOptions,
  MqttMessage,
  MqttSession,
} from '../../../world/mqtt/mqtt-client.ts';

/** An account at the broker: the client id of a box is its box id. */
export interface MqttAccount {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
}

/**
 * A broker and an MQTT client for it, for one test. The suite itself waits for nothing by the clock: `until`
 * and `settle` let time pass in the way of its world.
 */
export interface MqttTestBroker {
  readonly mqtt: MqttClient;
  /** A box: publishes on its `up` and `presence`, subscribes to its `down`. */
  readonly box: MqttAccount;
  readonly otherBox: MqttAccount;
  /** The backend: subscribes to `boxes/+/+/up` and `boxes/+/+/presence`, publishes on any box's `down`. */
  readonly backend: MqttAccount;
  /** A second client id of the backend's account. */
  readonly witness: MqttAccount;
  /** A client for an address without a server. */
  readonly unreachableMqtt: MqttClient;
  /** A filter that this broker refuses to the box, or why there is none here. */
  readonly forbiddenFilter: string | { readonly none: string };
  /** Resolves once `condition` holds; rejects if it does not within the fixture's time limit. */
  until(condition: () => boolean): Promise<void>;
  /** Resolves when everything in flight has had ample time to arrive. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** The messages of one session; while `holding`, they are not acknowledged. */
export interface Inbox {
  readonly topics: string[];
  readonly texts: string[];
  readonly retained: boolean[];
  readonly closings: string[];
  holding: boolean;
  release(): void;
}

/**
 * What the parts of the MQTT client contract share: the fixture of the current test, and short forms of
 * calls.
 */
export interface MqttContractParts {
  readonly fixture: MqttTestBroker;
  /** Opens a session (clean, unless `more` says otherwise) that is dropped after the test. */
  open(
    account: MqttAccount,
    more?: Partial<MqttConnectOptions>,
    holding?: boolean,
  ): Promise<{ readonly session: MqttSession; readonly inbox: Inbox }>;
  /** Has a session dropped after the test. */
  keep(session: MqttSession): void;
  /** The topics of `fixture.box`. */
  up(): string;
  down(): string;
  presence(): string;
}

/** Contract parts for the fixture that `fixtureOf` returns during a test. */
export function mqttContractParts(
  fixtureOf: () => MqttTestBroker,
  keep: (session: MqttSession) => void,
): MqttContractParts {
  const topic = (channel: Channel) => topics[channel](fixtureOf().box.clientId);
  return {
    get fixture() {
      return fixtureOf();
    },
    keep,
    up: () => topic('up'),
    down: () => topic('down'),
    presence: () => topic('presence'),
    async open(account: MqttAccount, more: Partial<MqttConnectOptions> = {}, holding = false) {
      const inbox: Inbox & { held: (() => void)[] } = {
        topics: [],
        texts: [],
        retained: [],
        closings: [],
        held: [],
        holding,
        release() {
          for (const acknowledge of this.held.splice(0)) acknowledge();
        },
      };
      const session = await fixtureOf().mqtt.open(
        { ...account, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000, ...more },
        {
          message(topic, payload, retained, acknowledge) {
            inbox.topics.push(topic);
            inbox.texts.push(text(payload));
            inbox.retained.push(retained);
            if (inbox.holding) inbox.held.push(acknowledge);
            else acknowledge();
          },
          closed: (reason) => inbox.closings.push(reason),
        },
      );
      keep(session);
      return { session, inbox };
    },
  };
}

export const bytes = (text: string) => new TextEncoder().encode(text);
export const text = (payload: Uint8Array) => new TextDecoder().decode(payload);
export const numberTexts = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
export const publication = (topic: string, words: string, retain = false): MqttMessage => ({
  topic,
  payload: bytes(words),
  retain,
});
