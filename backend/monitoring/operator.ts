import { PROBLEMS, type ProblemKind } from '../../contract/problems.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { dateTime } from '../base/date-time.ts';
import { operatorLimits } from '../base/limits.ts';
import { type AlertSender, makeAlertSender } from './alerts.ts';

/** A request that was answered with 500. Contains nothing of its headers, query or body. */
export interface RequestFailure {
  readonly flowId: string;
  readonly method: string;
  readonly path: string;
  readonly problem: ProblemKind;
  /** The text of the error or of the refusal. */
  readonly error: string;
  readonly stack: string | undefined;
}

/** Notifies the operator of the service. */
export interface Operator {
  /**
   * One error log line, one count (`failures.<problem>`), and an alert if there is an address. Never throws.
   */
  failed(failure: RequestFailure): void;
  /** Sends no further alert. */
  stop(): void;
}

export interface OperatorParts {
  readonly world: Pick<World, 'time' | 'http' | 'log'>;
  readonly counters: Counters;
  /** The address to which each failure is posted; absent: none. */
  readonly alertUrl?: string | undefined;
}

export function makeOperator(parts: OperatorParts): Operator {
  const { world, counters, alertUrl } = parts;
  const alerts: AlertSender | undefined =
    alertUrl === undefined ? undefined : makeAlertSender({ world, counters, url: alertUrl });
  return {
    failed({ flowId, method, path, problem, error, stack }) {
      const shownPath = path.slice(0, operatorLimits.pathCharacters);
      const { type } = PROBLEMS[problem];
      world.log.error(
        { flowId, method, path: shownPath, problem: type, error, stack },
        'a request was answered with 500',
      );
      counters.add(`failures.${problem}`);
      alerts?.send({
        flow_id: flowId,
        method,
        path: shownPath,
        problem: type,
        time: dateTime(world.time.nowMs()),
      });
    },
    stop: () => alerts?.stop(),
  };
}
