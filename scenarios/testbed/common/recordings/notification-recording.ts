import type { AnsweredNotification } from '../../../../judge/evidence/evidence.ts';
import type { Http } from '../../../../world/http/http.ts';
import type { Time } from '../../../../world/time/time.ts';
import { testbedLimits } from '../../../limits.ts';

/** The calls of a maker's cloud, which are its notifications, with their answers. Their number is limited. */
export class NotificationRecording {
  readonly #answered: AnsweredNotification[] = [];

  get answered(): readonly AnsweredNotification[] {
    return this.#answered;
  }

  /** The same calls, each recorded with its answer; one without an answer is not. */
  wrap(http: Http, time: Pick<Time, 'nowMs'>): Http {
    return {
      call: async (request) => {
        const sentMs = time.nowMs();
        const response = await http.call(request);
        if (this.#answered.length < testbedLimits.notifications)
          this.#answered.push({ sentMs, answeredMs: time.nowMs(), status: response.status });
        return response;
      },
    };
  }
}
