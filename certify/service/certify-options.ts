import type { AmqpConsumer } from '../../world/amqp/amqp-consumer.ts';
import type { LogLevel } from '../../world/log/real-log.ts';
import type { Fetch } from './service-api.ts';

/** What a service is certified with. */
export interface CertifyOptions {
  /** Of the API, without a trailing slash. */
  readonly api: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** Of the MQTT broker of the boxes; with the certificate authority of an mqtts:// one in PEM form. */
  readonly mqtt: string;
  readonly mqttCa?: string | undefined;
  /** Of the AMQP broker, with an account that may read the queues of subscriptions; absent: messages are not tested. */
  readonly amqp?: string | undefined;
  readonly amqpCa?: string | undefined;
  /** Creates clients and faults (docs/certify.md, The admin interface); absent: what needs them is not tested. */
  readonly admin?: string | undefined;
  readonly vehicles: number;
  readonly seed: number | undefined;
  readonly data: string;
  /** A service that belongs to another installation than the data directory is certified anyway. */
  readonly force?: boolean | undefined;
  /** A file with the passwords of the boxes; absent: those of the data directory. */
  readonly credentials?: string | undefined;
  /**
   * Where SIM providers and maker are served for the service; absent: they are not, and what needs them is not tested.
   */
  readonly simulatorPort?: number | undefined;
  /** How long the service waits for a silent box. */
  readonly answerTimeoutMs: number;
  readonly logLevel: LogLevel;
  /** Reports the progress. */
  progress(text: string): void;
  /** The network, if it is not the machine's: a test intercepts it. */
  readonly network?: {
    readonly fetch?: Fetch;
    amqp?(url: string, ca: string | undefined): AmqpConsumer;
  };
}
