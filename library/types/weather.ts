// Written from the tables by test/unit/library/types.test.ts: npx vitest run --update=all test/unit/library

/** Weather (docs/scenarios.md, Weather): `{ coverage: 'none' }`, or a word that needs no settings. */
export type Weather =
  | {
      /**
       * Radio coverage: none, and the link dies without a goodbye; poor, with a weak signal, latency and
       * little bandwidth; or good.
       */
      readonly coverage: 'none' | 'poor' | 'good';
    }
  | {
      /** The signal quality becomes this CSQ (3GPP TS 27.007: 0 is -113 dBm or less, 31 is -51 dBm or more). */
      readonly signal: number;
    }
  | {
      /** The connection is severed and both ends know at once; the box connects again. */
      readonly cut: Readonly<Record<string, never>>;
    }
  | {
      /** What is sent is lost, and neither end notices until the keep-alive times out. */
      readonly half_open: Readonly<Record<string, never>>;
    }
  | {
      /** What is sent waits; it arrives, in order, when the stall is over (toxiproxy: timeout 0). */
      readonly stall: Readonly<Record<string, never>>;
    }
  | {
      /** Everything takes this long, one way; up to the jitter is added, drawn for each packet. */
      readonly latency: { readonly base: string; readonly jitter?: string };
    }
  | {
      /** No more than this passes from the box (up) and to it (down). */
      readonly bandwidth: { readonly up?: string; readonly down?: string };
    }
  | {
      /**
       * The boxes share a radio cell: no more than this passes from all of them together (up) and to all of
       * them (down). What one sends waits for what others sent before it.
       */
      readonly cell: { readonly up?: string; readonly down?: string };
    }
  | {
      /** Each connection is reset that long after it was made, or at once where it is there. */
      readonly reset_peer: { readonly after?: string };
    }
  | {
      /** The other end learns only after this delay that a connection has ended. */
      readonly slow_close: { readonly delay: string };
    }
  | {
      /** Each connection ends once so much has passed on it. */
      readonly limit_data: { readonly after: string };
    }
  | {
      /** The broker forgets the session of the box, and severs its connection. */
      readonly session_lost: Readonly<Record<string, never>>;
    }
  | {
      /** Another connection with the identity of the box takes its session over, and leaves. */
      readonly take_over: Readonly<Record<string, never>>;
    }
  | {
      /** The box crosses a border: its network is lost, and after the gap it is on a foreign one. */
      readonly roaming: { readonly gap?: string };
    }
  | {
      /**
       * The SIM provider suspends, detaches or activates the card. A suspended one gets onto no network. A
       * detached one loses its network, and registers again after 5 to 15 s, whatever `for` says.
       */
      readonly sim: 'suspended' | 'detached' | 'active';
    }
  | {
      /**
       * The link passes packets as a recorded one did: one that is built in (`link: train`), or a `file` in
       * the mahimahi format next to the scenario, with a millisecond a line at which 1,500 bytes may pass;
       * it repeats at its end.
       */
      readonly trace: {
        readonly link?: 'train' | 'countryside' | 'crowd';
        readonly file?: string;
        readonly direction?: 'up' | 'down' | 'both';
      };
    }
  | {
      /**
       * The next `count` messages of this kind, as many as come until it ends, never arrive; `cut` ends the
       * connection with each, as when it died in that moment.
       */
      readonly lose: {
        readonly message:
          | 'puback'
          | 'receipt'
          | 'command-request'
          | 'command-reply'
          | 'amqp-confirm'
          | 'record'
          | 'hello'
          | 'birth'
          | 'box-puback'
          | 'amqp-publish';
        readonly count?: number;
        readonly connection?: 'cut' | 'kept';
      };
    }
  | {
      /**
       * The next `count` messages of this kind, as many as come until it ends, arrive that much later; what
       * was sent after them passes them.
       */
      readonly delay: {
        readonly message:
          | 'puback'
          | 'receipt'
          | 'command-request'
          | 'command-reply'
          | 'amqp-confirm'
          | 'record'
          | 'hello'
          | 'birth'
          | 'box-puback';
        readonly by: string;
        readonly count?: number;
      };
    }
  | {
      /**
       * The next `count` messages of this kind, as many as come until it ends, arrive twice, one right
       * behind the other. With `by` the second one comes that much later, with QoS 0, also after a reset of
       * the box or in a new session: where its connection has ended by then, it comes behind the next
       * message of its direction on a later one. `by` is not for `puback`, `box-puback`, `amqp-publish`.
       */
      readonly double: {
        readonly message:
          | 'puback'
          | 'receipt'
          | 'command-request'
          | 'command-reply'
          | 'record'
          | 'hello'
          | 'birth'
          | 'box-puback'
          | 'amqp-publish';
        readonly by?: string;
        readonly count?: number;
      };
    }
  | {
      /**
       * The next `count` messages of this kind, as many as come until it ends, are each overtaken by what is
       * sent next in the same direction; where nothing is `within` that time, it goes on alone.
       */
      readonly reorder: {
        readonly message:
          | 'puback'
          | 'receipt'
          | 'command-request'
          | 'command-reply'
          | 'record'
          | 'hello'
          | 'birth'
          | 'box-puback';
        readonly count?: number;
        readonly within?: string;
      };
    }
  | 'cut'
  | 'half_open'
  | 'stall'
  | 'reset_peer'
  | 'session_lost'
  | 'take_over'
  | 'roaming';
