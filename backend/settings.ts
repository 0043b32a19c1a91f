import type { AmqpQueueType } from '../world/amqp/amqp-publisher.ts';
import type { RemoteInterface } from './base/remote-interface.ts';
import type { QueueAccounts } from './events/accounts.ts';
import type { FleetQueue } from './events/topology.ts';
import type { ReferenceAssets } from './http/openapi/reference.ts';
import type { DataFiles } from './monitoring/data-files.ts';

/** All settings of the backend. */
export interface ServiceSettings {
  /** `http://127.0.0.1:8080`, without a slash at the end; the issuer of tokens too. */
  readonly baseUrl: string;
  readonly mqtt: { readonly clientId: string; readonly username: string; readonly password: string };
  /**
   * Other backends serve boxes too: each has some of the partitions, and a name of its own for as long as it runs. Absent:
   * this one serves all boxes.
   */
  readonly shared?: { readonly backend: string };
  /**
   * The id of the installation, as `claimInstallation` has found it; absent: other installations at the MQTT broker are
   * not detected.
   */
  readonly installationId?: string;
  /** How long a box may stay silent on a command, in milliseconds. */
  readonly answerTimeoutMs: number;
  /**
   * The MQTT broker has just begun without sessions or retained frames (the embedded one): connections that are open in
   * the store ended without their wills, and are unknown until their boxes send hellos.
   */
  readonly brokerIsNew?: boolean;
  /** Calls of one client in a minute; absent: the value in contract/limits.ts. */
  readonly requestsPerMinute?: number;
  /** How long an access token issued now is valid, in seconds; absent: 3600. Read at each issue. */
  readonly accessTokenS?: () => number;
  /** The interfaces of the SIM providers, by the names of contract/sim-providers.ts. */
  readonly simProviders?: Readonly<Record<string, RemoteInterface>>;
  /** The makers' clouds, by the names of backend/third-party/makers.ts. */
  readonly makers?: Readonly<Record<string, RemoteInterface>>;
  /** The assets of the page at /docs; absent: there is no such page. */
  readonly reference?: ReferenceAssets;
  /** Origins whose web pages may call the API from a browser; absent: none. */
  readonly corsOrigins?: readonly string[];
  /** Where each 500 is reported to the operator; absent: only by log line and counter. */
  readonly alertUrl?: string;
  /** The queues that are declared and bound at start: `VehicleState_v1-demo` for a fleet and its vehicle states. */
  readonly queues: readonly FleetQueue[];
  /** Creates users at the message broker; absent: subscriptions are not possible. */
  readonly accounts?: QueueAccounts;
  /** The files that are watched while it runs; absent: none. */
  readonly dataFiles?: DataFiles;
  /** The metrics of the process in Prometheus format; absent: none, as in the virtual world. */
  readonly processMetrics?: () => Promise<string>;
  /** The type of the queues that are declared; absent: the default of the broker. */
  readonly queueType?: AmqpQueueType;
}
