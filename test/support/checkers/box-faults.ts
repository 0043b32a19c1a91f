import type { CheckerName } from '../../../judge/checkers.ts';
import type { BoxMemory, PhoneQuestion } from '../../../judge/evidence/box-history.ts';
import type { RecordedFrame } from '../../../judge/evidence/evidence.ts';
import { question } from './any-box-history.ts';
import { EPOCH, type RunRecordings, START_MS, ulidOf, type VehicleRecording } from './any-recordings.ts';
import { type PlantedFault, pickVehicle } from './change-recordings.ts';

/** When the faults are, unless said otherwise. */
const AT_MS = START_MS + 600_000;

/** Every way in which a box can do what it must not, or forget. */
export const BOX_FAULTS: readonly PlantedFault[] = [
  phone('a forged token opens', {}, ({ token }) => ({ token: { ...token, isGenuine: false } })),
  phone('a token does what it does not allow', { action: 'lock' }, ({ token }) => ({
    token: { ...token, allows: ['unlock'] },
  })),
  phone('an expired token opens', {}, ({ token }) => ({ token: { ...token, expiresMs: AT_MS - 1_000 } })),
  phone('a withdrawn token opens', {}, ({ token }) => ({
    token: { ...token, withdrawnMs: START_MS - 700_000 },
  })),
  phone('a token of another box opens', {}, ({ token }) => ({ token: { ...token, boxId: 'another' } })),
  phone('a right token is refused', { outcome: 'refused' }, () => ({}), 'refused without a reason'),
  phone(
    'a standing vehicle is said to move',
    { outcome: 'hindered', detail: 'the vehicle is moving' },
    () => ({}),
    'hindered by nothing',
  ),
  box('a phone is told that is done what is not', 'phones-are-entitled', (told) => {
    told.truth = { ...told.truth, locked: true };
    told.box.phones.push(question(told.vehicle.boxId ?? '', AT_MS, { action: 'unlock' }));
    return ['done, and it is not so', 'locked was never false'];
  }),
  {
    name: 'a token is used more often than it may be',
    checker: 'phones-are-entitled',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const { boxId = '' } = told.vehicle;
      const one = question(boxId, AT_MS, {});
      for (const ms of [0, 1_000, 2_000])
        told.box.phones.push({ ...one, askedMs: AT_MS + ms, answeredMs: AT_MS + ms });
      return ['done without a right', 'for 2 uses', boxId];
    },
  },
  box('an output moves though nobody asked', 'outputs-are-caused', ({ box }) => {
    box.moves.push(moveOf('locked', false));
    return ['moved for nobody', 'locked to false'];
  }),
  box('a part is put back that had not been moved', 'outputs-are-caused', ({ box, vehicle }) => {
    box.phones.push(
      question(vehicle.boxId ?? '', AT_MS, { action: 'unlock-and-enable-driving', outcome: 'failed' }),
    );
    box.moves.push({ ...moveOf('locked', false), before: false }, moveOf('locked', true));
    return ['put back what had not been moved', 'locked to true'];
  }),
  box('driving is disabled without the automatic immobilizer', 'outputs-are-caused', ({ box }) => {
    box.moves.push(moveOf('drivingEnabled', false));
    return ['immobilized though that is off'];
  }),
  forgotten('its configuration', ({ configuration }) => ({
    configuration: { ...configuration, values: { ...configuration.values, 'box.bleEnabled': 0 } },
  })),
  forgotten('its workshop mode', () => ({ isWorkshop: true })),
  forgotten('its connection counter', () => ({ connection: 2 })),
  forgotten('the calibration of its damage detection', () => ({ calibrated: 4 })),
  forgotten('that it knows the time', () => ({ knowsTime: false })),
  forgotten('its Bluetooth tokens', () => ({
    tokens: { sinceMs: 0, tokens: [{ id: 'TOKEN', expiresMs: AT_MS, used: 1, isWithdrawn: false }] },
  })),
  box('an epoch begins without a wipe', 'box-remembers', ({ box }) => {
    box.memories.push({ ...lastMemory(box.memories), atMs: AT_MS, epoch: EPOCH + 1 });
    return ['a new epoch without a wipe'];
  }),
  box('a setup leaves a setting of the last vehicle', 'box-remembers', ({ box }) => {
    const last = lastMemory(box.memories);
    const values = { ...last.configuration.values, 'tracking.enabled': 1 };
    box.memories.push(
      { ...last, atMs: AT_MS, isSettingUp: true },
      { ...last, atMs: AT_MS + 3_000, configuration: { ...last.configuration, values } },
    );
    return ['kept from the last vehicle'];
  }),
  box('two connections have one number', 'box-remembers', ({ box }) => {
    box.connects.push({ atMs: AT_MS, connection: 3 });
    return ['a connection counted twice', 'connection 3 after 3'];
  }),
  box('a report is held while an event is given up', 'box-remembers', (told) => {
    const frames = (...messages: readonly RecordedFrame['message'][]) =>
      messages.map((message, index): RecordedFrame => {
        const sequence = 900_100 - index;
        return { atMs: AT_MS, direction: 'up', epoch: EPOCH + 1, sequence, clockMs: AT_MS, message };
      });
    const counts = { first: 900_100, last: 900_100, reports: 0, events: 1, replies: 0 } as const;
    told.frames.unshift(
      ...frames(
        { kind: 'tombstone', reason: 'overwritten', ...counts },
        { kind: 'report', cause: 'time', signals: {} },
      ),
    );
    return ['an event given up before a report', 'report 900099'];
  }),
  box('an event is given up, and a younger report is kept', 'box-remembers', ({ box }) => {
    box.evictions.push({ ...EVICTION, others: 1, oldestReport: 40, heldReport: 40 });
    return ['an event given up before a report', 'report 40 was still held'];
  }),
  box('a report is given up that is not the oldest', 'box-remembers', ({ box }) => {
    box.evictions.push({ ...EVICTION, reports: 1, oldestReport: 30, heldReport: 30 });
    return ['a younger record given up before the oldest', 'report 30 was kept'];
  }),
  box('an event is given up that is not the oldest', 'box-remembers', ({ box }) => {
    box.evictions.push({ ...EVICTION, others: 1, oldestOther: 20, heldOther: 20 });
    return ['a younger record given up before the oldest', 'event or reply 20 was kept'];
  }),
  box('a journal gives a report up before it is full', 'box-remembers', ({ box }) => {
    box.evictions.push({ ...EVICTION, reports: 1, oldestReport: 20, held: 7 });
    return ['given up though there was room', 'it held 7 of 8'];
  }),
  box('a journal takes a record in no more', 'box-remembers', ({ box }) => {
    box.evictions.push({ ...EVICTION, refused: 2, held: 0 });
    return ['a record that found no room', '2 of them'];
  }),
  box('a sequence is given to two records', 'box-remembers', (told) => {
    const one = (clockMs: number): RecordedFrame => ({
      atMs: AT_MS,
      direction: 'up',
      epoch: EPOCH + 1,
      sequence: 900_100,
      clockMs,
      message: { kind: 'heartbeat' },
    });
    told.frames.unshift(one(AT_MS), one(AT_MS + 1_000));
    return ['a sequence given twice', `${EPOCH + 1}/900100`];
  }),
  box('a box connects every second', 'connects-with-patience', ({ box }) => {
    for (const index of [1, 2, 3, 4])
      box.connects.push({ atMs: AT_MS + index * 1_000, connection: 10 + index });
    return ['connects in a hurry'];
  }),
  box('a crash is not told', 'events-are-told', (told) => {
    if (!strike(told, AT_MS)) return [];
    return ['not told', 'crash'];
  }),
  box('a crash is told twice', 'events-are-told', (told) => {
    if (!strike(told, AT_MS)) return [];
    told.frames.unshift(crashFrame(900_100, AT_MS), crashFrame(900_101, AT_MS + 10));
    return ['told twice', `${EPOCH + 1}/900100`];
  }),
  box('a crash is told with another beginning', 'events-are-told', (told) => {
    if (!strike(told, AT_MS)) return [];
    told.frames.unshift(crashFrame(900_100, AT_MS - 60_000));
    return ['not told', 'crash'];
  }),
  box('a crash is told with another strength', 'events-are-told', (told) => {
    if (!strike(told, AT_MS)) return [];
    const frame = crashFrame(900_100, AT_MS);
    told.frames.unshift(withMeasured(frame, { crash: { ...CRASH, peakMg: 4_000 } }));
    return ['told with wrong values', '4000 mg, and the crash was of 6000 mg'];
  }),
  box('a crash is told from another side', 'events-are-told', (told) => {
    if (!strike(told, AT_MS)) return [];
    const frame = crashFrame(900_100, AT_MS);
    told.frames.unshift(withMeasured(frame, { crash: { ...CRASH, direction: 'rear' } }));
    return ['told with wrong values', 'from the rear, and it came from the front'];
  }),
  box('braking is told with another speed', 'events-are-told', (told) => {
    const braking = { peakMg: 600, durationMs: 100, speedBeforeKph: 65.5, speedAfterKph: 0 };
    const measured = { agoMs: 1_000, braking };
    const message = { kind: 'event', event: 'heavy-braking', signals: {}, measured } as const;
    told.frames.unshift({ ...crashFrame(900_100, AT_MS), message });
    return ['told with wrong values', 'its speed before it is 65.5 km/h, and it was 0.0 to 0.0 km/h'];
  }),
  box('an update is installed with the ignition on', 'updates-at-rest', (told) => {
    told.truth = { ...told.truth, ignitionOn: true };
    told.box.memories.push({ ...lastMemory(told.box.memories), atMs: AT_MS, update: 'installing' });
    return ['installed with the ignition on'];
  }),
  box('a right image is called corrupt', 'updates-end-rightly', ({ box }) => {
    const settings = { version: '2.40', image: 'right' };
    box.acts.push({ atMs: AT_MS - 1_000, name: 'update', settings });
    box.memories.push({ ...lastMemory(box.memories), atMs: AT_MS, update: 'over', updateOutcome: 'corrupt' });
    return ['an update ended as its image does not', 'corrupt, and the image offered was right'];
  }),
];

/** A step in which nothing was given up. */
const EVICTION = {
  atMs: AT_MS,
  refused: 0,
  room: 8,
  held: 8,
  reports: 0,
  others: 0,
  oldestReport: undefined,
  oldestOther: undefined,
  heldReport: undefined,
  heldOther: undefined,
} as const;

function lastMemory(memories: readonly BoxMemory[]): BoxMemory {
  return memories.at(-1) as BoxMemory;
}

function moveOf(part: string, to: boolean) {
  return { atMs: AT_MS, part, to, before: !to, isAccepted: true, speedKph: 0 };
}

/** Something that a box must not have done; the finding names its vehicle. */
function box(
  name: string,
  checker: CheckerName,
  change: (told: VehicleRecording) => readonly string[],
): PlantedFault {
  return {
    name,
    checker,
    plant(history: RunRecordings, pick: number) {
      const { told } = pickVehicle(history, pick);
      const words = change(told);
      return words.length === 0 ? [] : [...words, told.vehicle.boxId ?? ulidOf(0)];
    },
  };
}

/** A reset, after which one thing is not as it was. */
function forgotten(what: string, change: (before: BoxMemory) => Partial<BoxMemory>): PlantedFault {
  return box(`${what}: lost by a reset`, 'box-remembers', ({ box: { memories } }) => {
    const last = lastMemory(memories);
    memories.push({ ...last, atMs: AT_MS, boot: last.boot + 1, ...change(last) });
    return ['forgotten by a reset', what];
  });
}

/** A question that is answered wrongly. */
function phone(
  name: string,
  answer: Partial<PhoneQuestion>,
  change: (right: PhoneQuestion) => Partial<PhoneQuestion>,
  kind = 'done without a right',
): PlantedFault {
  return box(name, 'phones-are-entitled', (told) => {
    const right = question(told.vehicle.boxId ?? '', AT_MS, answer);
    const wrong = { ...right, ...change(right) };
    told.box.phones.push(wrong);
    return [kind, wrong.token.id];
  });
}

/** A blow to a vehicle whose ignition is on and whose box is to tell it. False: that may hold it in its journal. */
function strike(told: VehicleRecording, atMs: number): boolean {
  if (told.held.length > 0) return false;
  const last = lastMemory(told.box.memories);
  const values = { ...last.configuration.values, 'driving.enabled': 1 };
  told.truth = { ...told.truth, ignitionOn: true };
  told.box.memories.push({ ...last, atMs: atMs - 10_000, configuration: { ...last.configuration, values } });
  const settings = { acceleration_in_mg: 6_000, duration_ms: 60, direction: 'front' };
  told.box.acts.push({ atMs, name: 'crash', settings });
  return true;
}

const CRASH = {
  peakMg: 6_000,
  durationMs: 60,
  direction: 'front',
  gatheredMs: 10_000,
  samples: [],
} as const;

/** The same event with another measurement. */
function withMeasured(
  frame: RecordedFrame,
  part: Partial<NonNullable<Extract<RecordedFrame['message'], { readonly kind: 'event' }>['measured']>>,
): RecordedFrame {
  const { message } = frame;
  if (message.kind !== 'event' || message.measured === undefined) return frame;
  return { ...frame, message: { ...message, measured: { ...message.measured, ...part } } };
}

/** The frame of a crash that began then. */
function crashFrame(sequence: number, beganMs: number): RecordedFrame {
  const clockMs = beganMs + 10_000;
  const message = {
    kind: 'event',
    event: 'crash',
    signals: {},
    measured: { agoMs: 10_000, crash: CRASH },
  } as const;
  return { atMs: clockMs, direction: 'up', epoch: EPOCH + 1, sequence, clockMs, message };
}
