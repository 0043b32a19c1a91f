import { LIMITS } from '../../contract/limits.ts';

/** The bounds of the checkers, which allow for delays and steps that the limits of the contract do not mention. */
export const limits = {
  /** Findings of one kind that are listed; the others are counted. */
  findings: 20,
  /** Messages whose ids are held in memory while they are compared, about 100 bytes each. */
  messages: 3_000_000,
  /**
   * How far the clock of a box may differ from the service's before an act counts as one after its expiry.
   */
  boxClockMs: 1_000,
  /** The tolerance around the end of a token, which is a whole second of the service's clock. */
  tokenEndMs: 2_000,
  /** The least share of a client's quota that must be requested before a refusal. */
  leastQuotaShare: 0.8,
  /** Up to what age a notification of a maker must be taken. */
  notificationAgeMs: 30_000,
  /** How long a token of a client that is gone may still be accepted, with some time for the request itself. */
  clientMemoryMs: LIMITS.access.goneMs + 500,
  /** How much older than related properties one must be to count as ended. */
  lapsedMs: 2_000,
  /** How often values that keep changing are read again before two recordings count as different. */
  looks: 3,
  /** How often, and for how long, a wrong twin is read again before it counts. */
  truthLookMs: 1_000,
  truthPatienceMs: 12_000,
  /**
   * The longest span of which each moment is compared, and a span of which the simulator returns each
   * (simulator/vehicle/memory/vehicle-history.ts: 48 steps of 0.1 s).
   */
  truthSpanMs: 1_200_000,
  truthSliceMs: 4_800,
  /**
   * The longest span of which every millisecond is compared: a second of the API, and the first seconds of a box
   * without a clock.
   */
  truthCloseMs: 10_000,
  /** How long before and after a booking changes, a record may be read with either value. */
  bookedMs: 5_000,
  /**
   * How often, and how long apart, a box's configuration is read again before it counts as different from the
   * record.
   */
  inForceLooks: 30,
  inForceLookMs: 1_000,
  /** How often, and for how long, a wrong life status is read again: longer than a keep-alive takes. */
  presenceLookMs: 5_000,
  presencePatienceMs: 180_000,
  /** Date-times of the API are cut off to whole seconds. */
  wholeSecondMs: 1_000,
  /** How long before an output moved its vehicle may have stopped or started. */
  outputSlackMs: 2_000,
  /** The step of the vehicle speed on OBD (SAE J1979, PID 0D): below it a vehicle reports standstill. */
  tellableSpeedKph: 1,
  /**
   * How much later than promised a vehicle of a bulk job may be tried, or settled: for all, and for each vehicle of the
   * run's jobs, since a service tries a bounded number at a time and an attempt may take its whole time-out.
   */
  bulkSlackMs: 60_000,
  bulkItemMs: 400,
  /** How long an attempt in progress at a later request may still take. */
  overtakenMs: 30_000,
  /** How long before an attempt was sent the event that ended it may have happened: it is noticed with a delay. */
  brokenOffMs: 1_000,
  /** How long before an attempt the connection of its box, or the fault, that caused it may have happened. */
  retryOnConnectMs: 120_000,
  /** How much earlier than its end a box may treat a token as expired: docs/bluetooth.md, The token. */
  tokenEarlyMs: 120_000,
  /** The tokens that a box distinguishes: docs/bluetooth.md, The token. */
  tokensOfABox: 64,
  /** How long a partition may be without a backend that serves it, and how long backends may wait before they connect again. */
  unservedMs: 10_000,
  reconnectMs: 40_000,
  /**
   * How long before a release a backend may have counted too many partitions; how long before it nothing must have been
   * taken from the backend, longer than a pause; and how soon after it a stopping one has left.
   */
  surplusKnownMs: 60_000,
  hinderedMs: 120_000,
  leavesWithinMs: 30_000,
  /** How long a setup takes at most. */
  setupMs: 20_000,
  /** How soon one begins once its box is ready, and how long after its order none can have failed: three minutes. */
  setupBeginsMs: 30_000,
  setupAgainMs: 170_000,
  /** How long a phone waits, and until when moves that a reset interrupted are reverted: docs/bluetooth.md. */
  phoneWaitsMs: 10_000,
  accessMs: 20_000,
  /** The tolerance of the automatic immobilizer: early, and late. A box polls once a second. */
  immobilizerSlackMs: 1_100,
  immobilizerLateMs: 5_000,
  /** How far a clock may deviate after a reset: it is stored to half a second, and drifts while the box is down. */
  keptClockMs: 1_500,
  /** The shortest wait between two attempts to connect, doubled each time up to the second: docs/wire.md, A connection. */
  reconnectLeastMs: 500,
  reconnectMostMs: 30_000,
  /** How far the beginning of an event may be from its cause: a box polls once a second. */
  eventSlackMs: 2_500,
  /** The longest stall of a box by one slow write of its flash. */
  standsStillMs: 600_000,
  /** The tolerance of an event's time if the error of the box's clock is known: the step of its recording. */
  eventMomentMs: 110,
  /** How far its speeds and accelerations may be from the physics, in addition to their change within that time. */
  eventSpeedKph: 1,
  eventMg: 10,
  /** The least share of the mean acceleration that the strongest one can be: measured in steps. */
  leastPeakShare: 0.9,
  /** Two events of one kind that begin this close together report the same thing. */
  sameEventMs: 20,
  /** How long after another one an act on a vehicle is not judged: the longest recording of a crash. */
  nearEventMs: 61_000,
  /** What counts as a shock to a parked vehicle: stronger than wind and passing lorries. */
  shockMg: 250,
  /** How long there must be no fault before an answer that blames one is wrong. */
  calmMs: 60_000,
  /**
   * How soon after its restart, or the end of weather that only ends sessions, the service reports a ready box
   * correctly.
   */
  readySettlesMs: 3_000,
  /** How long a message may take from its record to its queue without recent faults. */
  messageDelayMs: 10_000,
  /** How long after its message an answer may come then: a wake-up takes milliseconds. */
  answerBehindMessageMs: 250,
  /**
   * How soon a refusal comes that needs no other answer (docs/api.md, When a command does not come through: at once).
   */
  atOnceMs: 5_000,
  /** The same without faults: too short for a request to a box. */
  refusalMs: 300,
  /**
   * How long after its box was last connected the service must know that it is not: a broker publishes a will after one
   * and a half keep-alives (MQTT 3.1.1, 3.1.2.10), which are 60 s here.
   */
  sessionEndMs: 150_000,
  /** How long after slow weather what was sent in it may still arrive. */
  lateArrivalMs: 600_000,
  /** How long after the answer to a subscription a message may still have left before it. */
  subscriptionMs: 1_000,
  /** How long before the end of a subscription a message may still be in transit to one of its two queues. */
  subscriptionEndMs: 1_000,
  /**
   * How soon a deleted queue that shares its topic with another is declared again (docs/operating.md), and the
   * tolerance.
   */
  missingQueueMs: 5_000,
  missingQueueSlackMs: 1_000,
  /** How soon the queues of a subscription whose end failed are deleted (docs/api.md, Message subscriptions). */
  sweptMs: 420_000,
  /** The tolerance of a system status's times: they are whole seconds of a clock that is corrected. */
  statusSlackMs: 5_000,
  /** The same for a property of the state, never after the service received it (docs/messages.md, Times). */
  readSlackMs: 1_000,
  /**
   * How long damage detection calibrates at least, with the resolution of its times, and how much longer until the
   * service knows of its end (docs/api.md, Feature configuration).
   */
  calibrationMs: 29_000,
  calibrationSlackMs: 30_000,
  /** How far a clock is at least ahead of a frame if its box asks in a new session (docs/wire.md, A connection). */
  clockFarAheadMs: 299_000,
  /**
   * How long a record may wait for its receipt: a box resends it after 30 s (docs/wire.md, A connection). And the delay
   * of each call of the store up to which that holds: a move of partitions and a commit are some twenty calls.
   */
  receiptMs: 28_000,
  bearablySlowMs: 1_000,
  /** The resolution of the recording of clocks. */
  clockSlackMs: 110,
} as const;
