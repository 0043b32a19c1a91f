import type { EventHandler, VirtualLoop } from '../loop/virtual-loop.ts';
import type { ProcessScope } from '../loop/virtual-process-scope.ts';
import type { Time } from './time.ts';

/** The clock and the alarms of `scope` in the virtual world. */
export function virtualTime(loop: VirtualLoop, scope: ProcessScope): Time {
  const label = `${scope.name} alarm`;
  const alarms: EventHandler<() => void> = {
    handle(wake) {
      wake();
      return true;
    },
  };
  scope.onKill(() => loop.cancelAll(alarms));
  return {
    nowMs: () => loop.nowMs,
    alarm(dueMs, wake) {
      if (scope.isKilled) return () => undefined;
      const event = loop.scheduleEvent(dueMs, label, alarms, wake);
      return () => loop.cancel(event);
    },
  };
}
