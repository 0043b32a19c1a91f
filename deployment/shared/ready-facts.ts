/** What a user needs to begin. The JSON form is the contract for scripts; the text form is for people. */
export interface ReadyFacts {
  /** The service alone, or all parts in separate processes; absent: all of them in one process. */
  readonly part?: 'backend' | 'processes';
  readonly baseUrl: string;
  readonly simulatorUrl: string;
  /** Null: there is none. */
  readonly consoleUrl: string | null;
  readonly mqttUrl: string;
  /** Null without a message broker. */
  readonly messages: MessageFacts | null;
  readonly fleetId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The person for clients with an interactive sign-in. */
  readonly user: { readonly name: string; readonly password: string };
  readonly vehicles: number;
  /** Vehicles in addition that have their maker's telematics. */
  readonly makerVehicles: number;
  /** Every simulated box; unassigned ones have no vehicle id. */
  readonly boxes: readonly {
    readonly vehicleId: string | null;
    readonly boxId: string;
    readonly model: string;
    readonly vin: string;
    readonly licensePlate: string;
  }[];
  /** For the third curl line. Undefined with no vehicles. */
  readonly example: { readonly vehicleId: string; readonly command: string } | undefined;
  readonly dataPath: string;
  /** The database of the store, without its password; absent: it is in `dataPath`. */
  readonly storeUrl?: string | undefined;
  readonly seed: number;
  /** Sentences such as: port 8080 is taken, 8081 is used. */
  readonly notices: readonly string[];
}

/** How the messages of the fleet are read. */
export interface MessageFacts {
  /**
   * With the account where there is one, ready for a client: `amqp://demo-fleet1:...@127.0.0.1:5672`. Null where the
   * broker accepts TLS only.
   */
  readonly url: string | null;
  /** The same by TLS; null where there is none. */
  readonly tlsUrl: string | null;
  /** The file with the certificate authority that clients verify it by; null where they know it. */
  readonly caPath: string | null;
  /** Null: it does not exist yet, since the management interface of the external broker does not answer. */
  readonly account: { readonly username: string; readonly password: string } | null;
  /** Of the vehicle states: `VehicleState_v1-demo`. */
  readonly queue: string;
}

/** What a user needs to know of a service without a fleet. */
export interface BackendFacts extends Omit<ReadyFacts, 'simulatorUrl'> {
  /** Null: that of the fleet of the data directory, which may start later. */
  readonly simulatorUrl: string | null;
}
