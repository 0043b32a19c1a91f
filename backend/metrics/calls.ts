import type { Http } from '../../world/http.ts';
import type { DeskAnswer } from '../commands/desk.ts';
import type { Counters } from '../counters.ts';

/** Who is called below which address. */
export interface Remote {
  /** `northwind` */
  readonly name: string;
  readonly baseUrl: string;
}

/** The same calls, counted as `calls.<class of status or failed>.<remote>`; an unknown address is `other`. */
export function countedHttp(http: Http, remotes: readonly Remote[], counters: Pick<Counters, 'add'>): Http {
  return {
    async call(request) {
      const remote = remotes.find(({ baseUrl }) => request.url.startsWith(baseUrl))?.name ?? 'other';
      try {
        const answer = await http.call(request);
        counters.add(`calls.${Math.floor(answer.status / 100)}xx.${remote}`);
        return answer;
      } catch (error) {
        counters.add(`calls.failed.${remote}`);
        throw error;
      }
    },
  };
}

/** The same desk, whose answers are counted as `commands.<by>.<done or the problem>`. */
export function countedDesk<Order, Desk extends { execute(order: Order): Promise<DeskAnswer> }>(
  desk: Desk,
  by: 'box' | 'maker',
  counters: Pick<Counters, 'add'>,
): Desk {
  return {
    ...desk,
    async execute(order: Order) {
      const answer = await desk.execute(order);
      counters.add(`commands.${by}.${answer.done ? 'done' : answer.refusal.problem}`);
      return answer;
    },
  };
}
