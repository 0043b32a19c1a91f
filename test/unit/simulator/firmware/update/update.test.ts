import { describe, expect, test } from 'vitest';
import { encodeFrame } from '../../../../../protocol/codec/frame.ts';
import type { FirmwareVersion } from '../../../../../protocol/firmware.ts';
import { lowestHeld } from '../../../../../simulator/firmware/journal/journal.ts';
import type { ImageKind } from '../../../../../simulator/firmware/update/image.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { requestId, TestBox } from '../../../../support/firmware/test-box.ts';

const NEWER: FirmwareVersion = [2, 36];
const offer = (rig: TestBox, image: ImageKind = 'right', version = NEWER) => {
  rig.feed({ kind: 'update', offer: { version, image } });
  rig.tick();
};
const update = (rig: TestBox) => rig.state.flash.update;
const events = (rig: TestBox) =>
  rig.told().flatMap((message) => (message.kind === 'event' ? [message.event] : []));

/** What the host does: a box that was reset boots again. */
function revive(rig: TestBox): void {
  const reset = rig.effects.findLast((effect) => effect.kind === 'reset');
  if (reset?.kind !== 'reset' || rig.state.ram.power !== 'off') return;
  rig.at += reset.downMs;
  rig.boot(reset.reason);
}

/** Passes the time with a broker and a backend that answer, and a host that boots the box again. */
function live(rig: TestBox, durationMs: number): void {
  for (let passed = 0; passed < durationMs; passed += 1_000) {
    rig.pass(1_000);
    revive(rig);
    const { phase } = rig.state.ram.session;
    if (phase === 'connecting') {
      rig.feed({ kind: 'opened' });
      rig.feed({ kind: 'subscribed' });
    }
    rig.acknowledgeAll();
    const stored = Math.max(
      lowestHeld(rig.state.flash.journal) - 1,
      ...rig.sent.map((frame) => frame.sequence),
    );
    if (rig.state.ram.session.phase !== 'down') rig.down({ kind: 'receipt', contiguous: stored, ranges: [] });
  }
}

const running = (rig: TestBox) => rig.state.ram.firmware;

describe('an update over the air', () => {
  test('is downloaded, installed after a going-down, tests itself, and is reported with its version', () => {
    const rig = new TestBox().ready();
    offer(rig);
    live(rig, 120_000);
    expect(running(rig)).toEqual(NEWER);
    const told = rig.told();
    expect(told).toContainEqual(
      expect.objectContaining({ kind: 'going-down', reason: 'update', expectedS: limits.updateExpectedS }),
    );
    const hello = told.find((message) => message.kind === 'hello');
    expect(hello).toMatchObject({ firmware: NEWER, resetReason: 'SOFTWARE' });
    expect(told).toContainEqual(expect.objectContaining({ kind: 'event', event: 'firmware-updated' }));
    expect(rig.state.flash.firmware).toEqual({ version: NEWER, bank: 1, other: [2, 30] });
    expect(update(rig)).toMatchObject({ phase: 'over', outcome: 'installed', isReported: true });
    rig.boot();
    expect(running(rig)).toEqual(NEWER);
  });

  test('takes longer on a slow link', () => {
    const durations = [25, 12, 5].map((csq) => {
      const rig = new TestBox().ready({ csq });
      offer(rig);
      const begun = rig.at;
      while (update(rig)?.phase === 'downloading') rig.pass(1_000);
      return rig.at - begun;
    });
    const [fast = 0, middling = 0, slow = 0] = durations;
    expect(fast).toBeLessThan(25_000);
    expect(middling).toBeGreaterThan(2 * fast);
    expect(slow).toBeGreaterThan(3 * middling);
  });

  test('waits until the vehicle is parked with its ignition off', () => {
    const rig = new TestBox().ready({ ignitionOn: true });
    offer(rig);
    live(rig, 120_000);
    expect(update(rig)?.phase).toBe('downloaded');
    rig.tick({ ignitionOn: false });
    expect(update(rig)?.phase).toBe('installing');
  });

  test.each([
    ['goes on', [2, 20], true],
    ['begins anew before 2.20', [2, 19], false],
  ] as const)('that is cut by lost coverage %s', (_what, firmware, goesOn) => {
    const rig = new TestBox({ firmware }).ready();
    offer(rig);
    rig.pass(10_000);
    const before = update(rig)?.received ?? 0;
    expect(before).toBeGreaterThan(5);
    rig.tick({ hasCoverage: false });
    rig.pass(3_600_000);
    expect(update(rig)).toMatchObject({ phase: 'downloading', received: goesOn ? before : 0 });
    rig.boot('USER');
    rig.pass(60_000);
    expect(update(rig)?.received).toBe(goesOn ? before : 0);
    rig.tick({ hasCoverage: true });
    live(rig, 180_000);
    expect(running(rig)).toEqual(NEWER);
  });

  test.each([
    ['corrupt', 'corrupt'],
    ['too-large', 'too-large'],
  ] as const)('whose image is %s is refused and told, and the box goes on', (image, outcome) => {
    const rig = new TestBox().ready();
    offer(rig, image);
    live(rig, 120_000);
    expect(update(rig)).toMatchObject({ phase: 'over', outcome });
    expect(running(rig)).toEqual([2, 30]);
    expect(events(rig)).toEqual(['firmware-update-failed']);
    expect(rig.state.ram.session.phase).toBe('ready');
    expect(rig.effects.filter((effect) => effect.kind === 'reset')).toEqual([]);
  });

  test('from a server that ends the connection early succeeds if the download can continue, and is given up otherwise', () => {
    const able = new TestBox({ firmware: [2, 30] }).ready();
    offer(able, 'cut-off');
    live(able, 400_000);
    expect(running(able)).toEqual(NEWER);
    const unable = new TestBox({ firmware: [2, 18] }).ready();
    offer(unable, 'cut-off');
    live(unable, 800_000);
    expect(update(unable)).toMatchObject({
      phase: 'over',
      outcome: 'cut-off',
      connectionBreaks: limits.downloadBreaks,
    });
    expect(running(unable)).toEqual([2, 18]);
  });

  test('that fails its self-test is rolled back, and the old version reports it', () => {
    const rig = new TestBox().ready();
    offer(rig, 'fails-self-test');
    live(rig, 150_000);
    expect(running(rig)).toEqual([2, 30]);
    expect(update(rig)).toMatchObject({ phase: 'over', outcome: 'rolled-back' });
    const told = rig.told();
    const hellos = told.filter((message) => message.kind === 'hello');
    expect(hellos.length).toBeGreaterThan(0);
    for (const hello of hellos) expect(hello).toMatchObject({ firmware: [2, 30] });
    expect(told).toContainEqual(expect.objectContaining({ event: 'firmware-update-failed' }));
  });

  test('that is repeatedly reset during its trial is rolled back', () => {
    const rig = new TestBox().ready();
    offer(rig);
    while (update(rig)?.phase !== 'trial') live(rig, 1_000);
    for (let boots = 0; boots < limits.trialBoots; boots += 1) {
      revive(rig);
      expect(rig.state.ram.power).toBe('booting');
      rig.boot('WATCHDOG');
    }
    expect(running(rig)).toEqual([2, 30]);
    expect(update(rig)).toMatchObject({ phase: 'over', outcome: 'rolled-back' });
  });

  test('that loses power during installation keeps the old bank, and is retried a limited number of times', () => {
    const rig = new TestBox().ready();
    offer(rig);
    for (let tries = 1; tries <= limits.updateInstalls; tries += 1) {
      while (rig.state.ram.power !== 'installing') live(rig, 1_000);
      expect(update(rig)?.installs).toBe(tries);
      rig.tick({ supplyMillivolts: 5_500 });
      rig.pass(5_000);
      expect(rig.state.ram.power).toBe('dead');
      rig.tick({ supplyMillivolts: 12_600 });
      revive(rig);
      expect(running(rig)).toEqual([2, 30]);
    }
    live(rig, 60_000);
    expect(update(rig)).toMatchObject({ phase: 'over', outcome: 'interrupted' });
  });

  test('does not begin while the box is busy', () => {
    const rig = new TestBox().ready({ ignitionOn: true });
    offer(rig);
    live(rig, 60_000);
    rig.command('begin-setup');
    rig.tick({ ignitionOn: false });
    expect(update(rig)?.phase).toBe('downloaded');
    live(rig, limits.setupMostMs + 5_000);
    expect(update(rig)?.phase).toBe('installing');
  });

  test('ignores other offers during installation', () => {
    const rig = new TestBox().ready();
    offer(rig);
    while (update(rig)?.phase !== 'installing') rig.pass(1_000);
    // It is still saying goodbye.
    expect(rig.state.ram.power).toBe('up');
    offer(rig, 'right', [2, 40]);
    expect(update(rig)?.offer.version).toEqual(NEWER);
    while (rig.state.ram.power !== 'installing') live(rig, 1_000);
    offer(rig, 'right', [2, 40]);
    expect(update(rig)?.offer.version).toEqual(NEWER);
    live(rig, 60_000);
    expect(running(rig)).toEqual(NEWER);
  });

  test('is given up after a week, is replaced by a workshop, and is ignored by a firmware without updates', () => {
    const late = new TestBox().ready({ ignitionOn: true });
    offer(late);
    live(late, 60_000);
    late.at += limits.updateDeadlineMs;
    late.tick();
    expect(update(late)).toMatchObject({ phase: 'over', outcome: 'too-late' });
    const overruled = new TestBox().ready();
    offer(overruled);
    overruled.feed({ kind: 'firmware', version: [2, 22] });
    expect(update(overruled)).toBeUndefined();
    expect(overruled.pages.has('update')).toBe(false);
    const old = new TestBox({ firmware: [2, 11] }).ready();
    offer(old);
    expect(update(old)).toBeUndefined();
  });

  test('to and from a version of the other generation: from the hello on all frames have the layout of the running version', () => {
    const rig = new TestBox({ firmware: [2, 14] }).ready();
    expect(rig.state.facts.generation).toBe(2);
    const { epoch } = rig.state.flash.journal;
    const command = { kind: 'command', requestId: requestId(1), command: 'request-vehicle-state' } as const;
    const message = { ...command, expiresMs: rig.at + 20_000 };
    const tagged = encodeFrame({ generation: 2, epoch, boot: 0, sequence: 0, clockMs: rig.at, message });
    rig.feed({ kind: 'received', bytes: tagged, sensors: rig.sensors });
    expect(rig.told()).toEqual([]);
    rig.down(message);
    expect(rig.told()).toMatchObject([{ kind: 'reply', outcome: 'done' }]);
    offer(rig);
    live(rig, 120_000);
    const frames = rig.sent.map(({ message, generation }) => [message.kind, generation]);
    expect(frames).toContainEqual(['going-down', 1]);
    expect(frames).toContainEqual(['hello', 2]);
    expect(frames).not.toContainEqual(['hello', 1]);
  });
});
