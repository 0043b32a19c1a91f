import { describe, expect, test } from 'vitest';
import { LinkLost, LinkRefused } from '../../world/link.ts';
import { type LinkBench, numbers, say, text } from './link-bench.ts';

/** How sessions of a link begin, are resumed, and end, and what becomes of their wills. */
export function linkSessions(bench: LinkBench): void {
  const { open, up, down, presence } = bench;

  describe('signing in', () => {
    test('opens with the right password, and a new session has nothing to resume', async () => {
      const { session, inbox } = await open(bench.stage.box);
      expect(session.present).toBe(false);
      expect(inbox.closings).toEqual([]);
    });

    test('refuses a wrong password', async () => {
      await expect(open({ ...bench.stage.box, password: 'wrong' })).rejects.toBeInstanceOf(LinkRefused);
    });

    test('refuses where nobody listens', async () => {
      const options = { ...bench.stage.box, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 };
      const closings: string[] = [];
      const opening = bench.stage.deadLink.open(options, {
        message: () => undefined,
        closed: (reason) => closings.push(reason),
      });
      await expect(opening).rejects.toBeInstanceOf(LinkRefused);
      await bench.stage.settle();
      // What was never open cannot close.
      expect(closings).toEqual([]);
    });
  });

  describe('sessions', () => {
    test('a persistent session is resumed, and what was said meanwhile is delivered in order', async () => {
      const first = await open(bench.stage.backend, { clean: false });
      expect(first.session.present).toBe(false);
      await first.session.subscribe('boxes/+/up');
      await first.session.end();
      const box = await open(bench.stage.box);
      for (const word of numbers(20)) await box.session.publish(say(up(), word));
      const second = await open(bench.stage.backend, { clean: false });
      expect(second.session.present).toBe(true);
      await bench.stage.until(() => second.inbox.texts.length >= 20);
      expect(second.inbox.texts).toEqual(numbers(20));
    });

    test('a clean session forgets: nothing is resumed and nothing kept', async () => {
      const first = await open(bench.stage.backend, { clean: true });
      await first.session.subscribe('boxes/+/up');
      await first.session.end();
      const box = await open(bench.stage.box);
      await box.session.publish(say(up(), 'missed'));
      const second = await open(bench.stage.backend, { clean: true });
      expect(second.session.present).toBe(false);
      await bench.stage.settle();
      expect(second.inbox.texts).toEqual([]);
    });

    test('a clean connect wipes what an earlier persistent session had', async () => {
      const first = await open(bench.stage.backend, { clean: false });
      await first.session.subscribe('boxes/+/up');
      await first.session.end();
      const wiping = await open(bench.stage.backend, { clean: true });
      expect(wiping.session.present).toBe(false);
      await wiping.session.end();
      const third = await open(bench.stage.backend, { clean: false });
      expect(third.session.present).toBe(false);
    });

    test('the same client id elsewhere closes the older connection, once', async () => {
      const older = await open(bench.stage.box);
      const newer = await open(bench.stage.box);
      await bench.stage.until(() => older.inbox.closings.length > 0);
      await expect(older.session.publish(say(up(), 'x'))).rejects.toBeInstanceOf(LinkLost);
      await newer.session.publish(say(up(), 'y'));
      await bench.stage.settle();
      expect(older.inbox.closings).toHaveLength(1);
      expect(newer.inbox.closings).toEqual([]);
    });

    test('nothing is handed over before open has resolved', async () => {
      const first = await open(bench.stage.backend, { clean: false });
      await first.session.subscribe('boxes/+/up');
      await first.session.end();
      const box = await open(bench.stage.box);
      for (const word of numbers(3)) await box.session.publish(say(up(), word));
      const order: string[] = [];
      const session = await bench.stage.link.open(
        { ...bench.stage.backend, clean: false, keepAliveS: 60, connectTimeoutMs: 5_000 },
        {
          message(_topic, payload, _retained, acknowledge) {
            order.push(text(payload));
            acknowledge();
          },
          closed: () => undefined,
        },
      );
      order.push('open');
      bench.keep(session);
      await bench.stage.until(() => order.length >= 4);
      expect(order).toEqual(['open', ...numbers(3)]);
    });
  });

  describe('the will', () => {
    const withWill = () => ({ will: say(presence(), 'gone', true) });

    test('is published when the connection is severed, and kept where it is retained', async () => {
      const backend = await open(bench.stage.backend);
      await backend.session.subscribe('boxes/+/presence');
      const box = await open(bench.stage.box, withWill());
      box.session.drop();
      await bench.stage.until(() => backend.inbox.texts.length === 1);
      expect(backend.inbox.texts).toEqual(['gone']);
      const later = await open(bench.stage.witness);
      await later.session.subscribe('boxes/+/presence');
      await bench.stage.until(() => later.inbox.texts.length === 1);
      expect(later.inbox.retained).toEqual([true]);
    });

    test('is not published after a goodbye', async () => {
      const backend = await open(bench.stage.backend);
      await backend.session.subscribe('boxes/+/presence');
      const box = await open(bench.stage.box, withWill());
      await box.session.end();
      const again = await open(bench.stage.box);
      await again.session.publish(say(presence(), 'back', true));
      await bench.stage.until(() => backend.inbox.texts.length >= 1);
      await bench.stage.settle();
      expect(backend.inbox.texts).toEqual(['back']);
    });

    test('of a connection that is taken over is published', async () => {
      const backend = await open(bench.stage.backend);
      await backend.session.subscribe('boxes/+/presence');
      await open(bench.stage.box, withWill());
      await open(bench.stage.box);
      await bench.stage.until(() => backend.inbox.texts.length === 1);
      expect(backend.inbox.texts).toEqual(['gone']);
    });
  });

  describe('the end', () => {
    test('closed is told once after end, and nothing is handed over afterwards', async () => {
      const box = await open(bench.stage.box);
      await box.session.subscribe(down());
      await box.session.end();
      await bench.stage.until(() => box.inbox.closings.length === 1);
      const backend = await open(bench.stage.backend);
      await backend.session.publish(say(down(), 'too late'));
      box.session.drop();
      await box.session.end();
      await bench.stage.settle();
      expect(box.inbox.closings).toHaveLength(1);
      expect(box.inbox.texts).toEqual([]);
    });

    test('closed is told once after drop', async () => {
      const box = await open(bench.stage.box);
      box.session.drop();
      box.session.drop();
      await bench.stage.until(() => box.inbox.closings.length === 1);
      await bench.stage.settle();
      expect(box.inbox.closings).toHaveLength(1);
    });
  });
}
