/** The bounds of the checkers. */
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
  /** The window of a client's quota (docs/api.md, Limits), and the least share of it that was asked for before a refusal. */
  quotaWindowMs: 60_000,
  leastQuotaShare: 0.8,
  /** Up to what age a notification of a maker must be taken. */
  notificationAgeMs: 30_000,
  /** How long a service may go by the record of a client that it has read, with some time for the request itself. */
  clientMemoryMs: 5_500,
  /** How much older than its like a property must be before it counts as one that has ended. */
  lapsedMs: 2_000,
  /** How often values that keep changing are read again before two recordings count as different. */
  looks: 3,
  /** How often, and for how long, a twin that is not true is read again before it counts. */
  truthLookMs: 1_000,
  truthPatienceMs: 12_000,
  /**
   * The longest span of which each moment is looked at, and a span of which the simulator gives each (simulator/vehicle/memory/vehicle-history.ts:
   * 48 steps of 0.1 s).
   */
  truthSpanMs: 1_200_000,
  truthSliceMs: 4_800,
  /** The longest span of which every millisecond is looked at: a second of the API, and the first seconds of a box without a clock. */
  truthCloseMs: 10_000,
  /** How long before and after its booking changes a record may be read with the one or the other. */
  bookedMs: 5_000,
  /**
   * How often, and how long apart, a box's configuration is read again before it counts as different from the
   * record.
   */
  inForceLooks: 30,
  inForceLookMs: 1_000,
  /** How often, and for how long, a life status that is not so is read again: longer than a keep-alive takes. */
  presenceLookMs: 5_000,
  presencePatienceMs: 180_000,
  /** Date-times of the API are cut off to whole seconds. */
  wholeSecondMs: 1_000,
  /** How long before an output moved its vehicle may have come to a standstill, or left it. */
  outputSlackMs: 2_000,
  /** The step of the vehicle speed on OBD (SAE J1979, PID 0D): below it a vehicle tells that it stands. */
  tellableSpeedKph: 1,
  /**
   * How much later than promised a vehicle of a bulk job may be tried, or settled: for all, and for each vehicle of the
   * run's jobs, since a service tries a bounded number at a time and an attempt may take its whole time-out.
   */
  bulkSlackMs: 60_000,
  bulkItemMs: 400,
  /** How long an attempt that was under way when a later request came may still take. */
  overtakenMs: 30_000,
  /** How long what has ended an attempt may have been before it was sent: it takes a while to be noticed. */
  brokenOffMs: 1_000,
  /** How long before an attempt its box may have connected, or a fault happened, to which it is due. */
  bulkHasteMs: 120_000,
  /** How much earlier than its end a box may take a token for expired: docs/bluetooth.md, The token. */
  tokenEarlyMs: 120_000,
  /** The tokens that a box keeps apart: docs/bluetooth.md, The token. */
  tokensOfABox: 64,
  /** How long a partition may be without a backend that serves it, and how long backends may wait before they connect again. */
  unservedMs: 10_000,
  reconnectMs: 40_000,
  /**
   * How long before it passes partitions on a backend may have found that they are too many; how long nothing must have been
   * taken from it before, longer than a pause; and how soon after it one that stops has left.
   */
  surplusKnownMs: 60_000,
  hinderedMs: 120_000,
  leavesWithinMs: 30_000,
  /** How long a setup takes at most. */
  setupMs: 20_000,
  /** How soon one begins once its box is ready, and how long after it was ordered none can have been begun in vain: three minutes. */
  setupBeginsMs: 30_000,
  setupAgainMs: 170_000,
  /** How long a phone waits, and until when what a reset has interrupted is put back: docs/bluetooth.md. */
  phoneWaitsMs: 10_000,
  accessMs: 20_000,
  /** How far the automatic immobilizer may be off its time: early, and late. A box looks once a second. */
  immobilizerSlackMs: 1_100,
  immobilizerLateMs: 5_000,
  /** How far a clock may be off what it was before a reset: it is kept to half a second, and drifts while it is down. */
  keptClockMs: 1_500,
  /** The shortest wait between two attempts to connect, doubled each time up to the second: docs/wire.md, A connection. */
  reconnectLeastMs: 500,
  reconnectMostMs: 30_000,
  /** How far the beginning of an event may be from what happened: a box looks once a second. */
  eventSlackMs: 2_500,
  /** The longest that a box stands still with one slow write of its flash. */
  standsStillMs: 600_000,
  /** How far the moment of an event may be off where the error of the box's clock is known: the step of its recording. */
  eventMomentMs: 110,
  /** How far its speeds and accelerations may be from the physics, beside what they change within that moment. */
  eventSpeedKph: 1,
  eventMg: 10,
  /** The least share of the mean acceleration that the strongest one can be: measured in steps. */
  leastPeakShare: 0.9,
  /** Two events of one kind that begin so close together tell the same thing. */
  sameEventMs: 20,
  /** How long after another one what happens to a vehicle is left open: the longest recording of a crash. */
  nearEventMs: 61_000,
  /** What counts as a shock to a parked vehicle: stronger than wind and passing lorries. */
  shockMg: 250,
  /** How long nothing must have been broken before an answer that blames something broken is wrong. */
  calmMs: 60_000,
  /** How soon after its restart, or the end of weather that only ends sessions, the service tells the truth of a ready box. */
  readySettlesMs: 3_000,
  /** How long a message may take from its record to its queue where nothing has been broken for a while. */
  messageDelayMs: 10_000,
  /** How far behind its message an answer may come there: whoever is woken is so within milliseconds. */
  answerBehindMessageMs: 250,
  /** How soon a refusal comes that needs nobody's answer (docs/api.md, When a command does not come through: at once). */
  atOnceMs: 5_000,
  /** How soon, where nothing is broken: within that nothing can be asked of a box. */
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
  /** How long before the end of a subscription a message may still be under way to one of two queues that it went to. */
  subscriptionEndMs: 1_000,
  /** How soon a queue that was deleted beside another one is declared again (docs/operating.md), and how much later it may be. */
  missingQueueMs: 5_000,
  missingQueueSlackMs: 1_000,
  /** How soon the queues of a subscription whose end failed are deleted (docs/api.md, Message subscriptions). */
  sweptMs: 420_000,
  /** How far the times of a system status may be off: they are whole seconds of a clock that is corrected. */
  statusSlackMs: 5_000,
  /** The same for a property of the state, never after the service received it (docs/messages.md, Times). */
  readSlackMs: 1_000,
  /**
   * How long damage detection calibrates at least, with the second in which its times are told, and how much longer until
   * the service knows of its end (docs/api.md, Feature configuration).
   */
  calibrationMs: 29_000,
  calibrationSlackMs: 30_000,
  /** How long a box may take to answer a command (docs/api.md, Limits). */
  commandMs: 20_000,
  /** For how long a box that announced a restart may be not ready; then it counts as not connected (docs/api.md, Box commands). */
  notReadyMs: 180_000,
  /** By how much a clock is ahead of a frame at least where its box asks in a new session (docs/wire.md, A connection). */
  clockFarAheadMs: 299_000,
  /**
   * How long a record may wait for its receipt: a box sends it again after 30 s (docs/wire.md, A connection). And by how much each call of
   * the store may be slower while that holds: a move of partitions and a commit are some twenty calls.
   */
  receiptMs: 28_000,
  bearablySlowMs: 1_000,
  /** The resolution of the recording of clocks. */
  clockSlackMs: 110,
} as const;
