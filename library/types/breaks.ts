// Written from the tables by test/unit/library/types.test.ts: npx vitest run --update=all test/unit/library

/** A break of a box (docs/scenarios.md, Breaks of a box): `{ 'flash-slow': { by: '1s' } }`. */
export type BoxBreak =
  | {
      /** The supply voltage sinks below what the box needs, for a few seconds; it starts again after it. */
      readonly 'brown-out': Readonly<Record<string, never>>;
    }
  | {
      /** The watchdog resets the box, in the midst of whatever it does. */
      readonly watchdog: Readonly<Record<string, never>>;
    }
  | {
      /** The box is reset from outside, with this reason in its next system status. */
      readonly reset: {
        readonly reason:
          | 'GENERAL'
          | 'BACKUP'
          | 'WATCHDOG'
          | 'SOFTWARE'
          | 'USER'
          | 'UNKNOWN'
          | 'POWER_DOWN_MODE';
      };
    }
  | {
      /** The supply is cut, and the box lives on its backup battery as long as that lasts. */
      readonly 'power-loss': Readonly<Record<string, never>>;
    }
  | {
      /** The flash is full: the oldest records are dropped to make room, or replaced by a tombstone. */
      readonly 'flash-full': Readonly<Record<string, never>>;
    }
  | {
      /**
       * The power of the box fails in its next write of a record, half of which is in the flash then; the
       * box starts again, and takes it for none.
       */
      readonly 'torn-write': Readonly<Record<string, never>>;
    }
  | {
      /**
       * The power of the box fails before its next write of a record is in the flash; the box starts again
       * without it.
       */
      readonly 'lost-write': Readonly<Record<string, never>>;
    }
  | {
      /** Every write to the flash of the box takes so much longer; the box does nothing else meanwhile. */
      readonly 'flash-slow': { readonly by: string };
    }
  | {
      /** The box's clock jumps forward, or back with a minus. */
      readonly 'clock-jump': { readonly by: string };
    }
  | {
      /**
       * The box's clock runs fast by this many millionths, or slow if negative; its firmware assumes at most
       * 100. At the end the clock keeps its deviation.
       */
      readonly 'clock-drift': { readonly ppm: number };
    }
  | {
      /** The box receives no satellites: it has neither position nor time from them. */
      readonly 'gnss-lost': Readonly<Record<string, never>>;
    }
  | {
      /** The flash is wiped, as in a repair: the box begins a new journal epoch. */
      readonly wipe: Readonly<Record<string, never>>;
    }
  | {
      /** The box's application hangs: commands arrive and are not answered, until the watchdog resets it. */
      readonly hang: Readonly<Record<string, never>>;
    }
  | {
      /** Something in the box breaks: it answers the next command (once), or every one, with this error. */
      readonly error: { readonly text: string; readonly once?: boolean };
    }
  | {
      /**
       * The SIM card is replaced by one of this provider, and the box restarts with it; the service records
       * it, or goes on asking the provider of the old card.
       */
      readonly card: { readonly provider: 'meridian' | 'harbour' | 'tundra'; readonly recorded?: boolean };
    }
  | {
      /** Something is wrong with how the box is built in; a setup that meets it fails. */
      readonly installation: { readonly obstacle: 'no-vehicle-bus' | 'no-gnss' | 'low-supply' };
    }
  | 'brown-out'
  | 'watchdog'
  | 'power-loss'
  | 'flash-full'
  | 'torn-write'
  | 'lost-write'
  | 'gnss-lost'
  | 'wipe'
  | 'hang';

/** A break of a part that all share: `{ exchange: 'down' }`, `{ store: { slow: { by: '1s' } } }`. */
export type PartBreak =
  /** Its connection to the MQTT broker: it shares its process with the tests, and does not die alone. */
  | { readonly backend: 'cut' }
  | {
      /** The MQTT broker. */
      readonly broker:
        | {
            /**
             * The MQTT broker goes down and is back at once, or after `for`; with or without the sessions that it
             * had.
             */
            readonly restart: { readonly sessions?: 'kept' | 'lost' };
          }
        | {
            /**
             * The MQTT broker keeps its connections, answers pings and takes nothing: no message, no subscription,
             * no new session. So is one node of a cluster that has lost the others.
             */
            readonly 'no-majority': Readonly<Record<string, never>>;
          }
        | 'restart'
        | 'no-majority';
    }
  | {
      /** The AMQP broker. */
      readonly exchange:
        | {
            /** The AMQP broker cannot be reached; its queues keep what they have. */
            readonly down: Readonly<Record<string, never>>;
          }
        | {
            /** The exchange refuses each message that is published. */
            readonly nack: Readonly<Record<string, never>>;
          }
        | {
            /** The exchange takes messages and confirms none, as a broker without memory does. */
            readonly blocked: Readonly<Record<string, never>>;
          }
        | {
            /** The queue that a fleet has for a topic from the start is deleted, with its messages. */
            readonly 'queue-deleted': {
              readonly topic:
                | 'VehicleState_v1'
                | 'VehicleDataChanged_v1'
                | 'DamageDetected_v1'
                | 'SmokeDetected_v1'
                | 'DrivingEvent_v1'
                | 'ParkingEvent_v1';
              readonly fleet?: 'own' | 'partner' | 'stranger';
            };
          }
        | 'down'
        | 'nack'
        | 'blocked';
    }
  | {
      /** The database of the service. */
      readonly store:
        | {
            /** The database can be read, and every write fails: the disk is full. */
            readonly full: Readonly<Record<string, never>>;
          }
        | {
            /** Every call of the database takes so much longer. */
            readonly slow: { readonly by: string };
          }
        | {
            /**
             * The next `count` writes to the database, as many as come until it ends, are committed and answered
             * with an error, as where a disk or a line fails behind the commit.
             */
            readonly 'commit-unknown': { readonly count?: number };
          }
        | {
            /** Every call of the database fails. */
            readonly down: Readonly<Record<string, never>>;
          }
        | 'full'
        | 'commit-unknown'
        | 'down';
    }
  | {
      /** The provider of the SIM cards. */
      readonly sim_provider: {
        /** A SIM provider's interface fails in this manner. */
        readonly outage: {
          readonly provider: 'meridian' | 'harbour' | 'tundra';
          readonly manner?: 'error' | 'silent' | 'slow' | 'rate-limited';
        };
      };
    }
  | {
      /** The maker's cloud. */
      readonly maker:
        | {
            /** The maker's cloud fails in this manner; with `push` it still reports new states. */
            readonly outage: {
              readonly manner?: 'error' | 'rate-limit' | 'silence' | 'slow' | 'nonsense';
              readonly push?: boolean;
            };
          }
        | 'outage';
    };
