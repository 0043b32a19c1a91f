/** What can be watched through a whole run, or looked for at its end. `all` stands for every one. */
export const CHECKERS = {
  'nothing-lost':
    'Every record that a box acknowledged to itself is with the service in the end, or in a tombstone.',
  'nothing-doubled': 'No record is stored twice, and no message leaves with two ids.',
  'order-per-box': 'The messages of each vehicle leave in the order in which its reports were stored.',
  'twin-is-fold': 'The latest state of each vehicle is what its frames, folded in order, come to.',
  'twin-is-true':
    'What the API says of each vehicle is what the vehicle was at that time, and of one that is parked what it is now.',
  'commands-at-most-once':
    'No box carries a request out twice or replies to it twice, none after its expiry, and none is refused as expired before.',
  'answers-agree': "What the service answered to a command agrees with the box's own log of it.",
  'guards-hold':
    'A request is refused for what stands against it by the contract, with the first of these problems, and for nothing else.',
  'successes-hold':
    'What was answered with success is so: the state of a card, a change of a record, sharing, a subscription with its queues.',
  'reads-agree':
    'Answers show a partner nothing of the owner’s own, the commands that a vehicle has, no property of the future, system statuses that can be, and in lists what they were asked for.',
  'one-open-command':
    'A box is sent a command only when the one before it is answered, is past its expiry, or its caller was answered.',
  'outputs-are-safe': 'No lock and no immobilizer moves in a vehicle that drives.',
  'flows-agree':
    'Messages have the flow id that their command was answered with, their headers say what their metadata says, and a state that was asked for comes as a message. Where nothing is broken, answer and message come close together.',
  'messages-hold':
    'A message has the times of the record that it tells, each event of a feature comes as a message, and occurred when it began; none waits for a minute while nothing is broken.',
  'presence-agrees':
    'The life status that the API tells is that of the connection of the box: in each answer where nothing is broken, soon after a backend began or a session ended, and once all has healed. The last contact is a time at which something of the box arrived.',
  'partitions-have-one-holder':
    'Of several backends one at a time stores what the boxes of a partition send and publishes its messages, and none is without one that serves it for longer than 10 s, unless nobody could. One that stays passes on no more than is beyond its share.',
  'receipts-in-time':
    'A record that a box has sent is receipted, or asked for again, before its box would send it again by itself, where nothing is broken; a backend that is replaced in good order, or a store that is a little slow, breaks nothing.',
  'one-result-per-vehicle':
    'Each vehicle of a bulk job ends with exactly one result and each setup with one end, a setup begins once its box is ready, and boxes have in force what was told last.',
  'bulk-in-time':
    'A bulk job ends after 12 hours, and until then each vehicle is tried when its box connects and after the waits that are promised, no more and no less; none is asked again while it is being asked.',
  'notifications-are-taken':
    'What a maker tells with the secret that it was given is taken, whichever backend it comes to.',
  'quota-holds':
    'Of all backends together no client gets more than its calls a minute, none is refused far below them, and a refusal says when to try again.',
  'tokens-expire':
    'No token is taken after its time, or after its client was deleted, and none is refused before.',
  'fleets-apart': 'No client and no queue sees a vehicle of another fleet that is not shared with it.',
  'within-bounds': 'Queues, journals and memory stay within their bounds.',
  'phones-are-entitled':
    'A phone moves what its token allows, as often and as long as it does, and is refused only for a reason.',
  'outputs-are-caused':
    'An output moves only for a command that has not expired, for a phone, or for the automatic immobilizer in its time, and is put back only where it had moved.',
  'box-remembers':
    'No reset makes a box forget its configuration, clock, tokens or counters, no sequence is given twice, and reports are given up before events.',
  'connects-with-patience': 'A box that gets into no session waits longer before each attempt to connect.',
  'sessions-last':
    'A session of a box ends only where something is or was just broken, the box goes down, or somebody asked for it.',
  'updates-at-rest': 'An update is installed only while the vehicle stands with its ignition off.',
  'updates-end-rightly':
    'An image is called corrupt, too large or unfit only where it is, and none that is so is installed.',
  'events-are-told':
    'What strikes or smokes out a vehicle is told by one event, which begins when it happened, where the feature for it is on.',
  heals:
    'After the last fault everything that is pending settles within the time to heal, or its reason is named; a box without supply, or with a suspended card, is left in peace.',
} as const;

export type CheckerName = keyof typeof CHECKERS;

export const CHECKER_NAMES = Object.keys(CHECKERS) as CheckerName[];

/** Those that are asked at the end of every run, also where `always` does not name them. */
export const ALWAYS_ASKED: ReadonlySet<CheckerName> = new Set<CheckerName>(['twin-is-true']);

/** In `always`: every checker. */
export const EVERY_CHECKER = 'all';
