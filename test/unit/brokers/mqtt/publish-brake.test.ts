import { describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/limits.ts';
import { PublishBrake } from '../../../../brokers/mqtt/publish-brake.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp() {
  const brake = new PublishBrake();
  const passed: string[] = [];
  const pass = (connection: object, name: string) => brake.pass(connection, () => passed.push(name));
  return { brake, passed, pass };
}

describe('the brake on publications', () => {
  test('lets everything pass at once while no inbox is full', () => {
    const { brake, passed, pass } = setUp();
    const box = {};
    pass(box, 'a');
    expect(passed).toEqual(['a']);
    expect(brake.isStopped(box)).toBe(false);
  });

  test('stops who publishes, nobody else, and lets them pass in order when the last inbox has room', () => {
    const { brake, passed, pass } = setUp();
    const [box, silent, inbox, second] = [{}, {}, {}, {}];
    brake.set(inbox, true);
    brake.set(second, true);
    pass(box, 'a');
    pass(box, 'b');
    expect(brake.isStopped(box)).toBe(true);
    expect(brake.isStopped(silent)).toBe(false);
    brake.set(inbox, false);
    expect(passed).toEqual([]);
    brake.set(second, false);
    expect(passed).toEqual(['a', 'b']);
    expect(brake.isStopped(box)).toBe(false);
  });

  test('lets a bounded number pass in a turn, and stops again between two turns', async () => {
    const { brake, passed, pass } = setUp();
    const [box, inbox] = [{}, {}];
    brake.set(inbox, true);
    const count = 3 * limits.mqtt.releasedAtOnce;
    const names = Array.from({ length: count }, (_, index) => `${index}`);
    for (const name of names) pass(box, name);
    brake.set(inbox, false);
    expect(passed).toHaveLength(limits.mqtt.releasedAtOnce);
    // What comes now waits behind the others.
    pass(box, 'later');
    brake.set(inbox, true);
    await turn();
    await turn();
    expect(passed).toHaveLength(limits.mqtt.releasedAtOnce);
    brake.set(inbox, false);
    for (let turns = 0; turns < 4; turns++) await turn();
    expect(passed).toEqual([...names, 'later']);
  });

  test('forgets a connection that has ended', () => {
    const { brake, passed, pass } = setUp();
    const [box, other, inbox] = [{}, {}, {}];
    brake.set(inbox, true);
    pass(box, 'a');
    pass(other, 'b');
    brake.forget(box);
    brake.set(inbox, false);
    expect(passed).toEqual(['b']);
  });
});
