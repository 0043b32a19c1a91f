import type { Http } from '../../world/http/http.ts';
import type { Counters } from '../base/counters.ts';
import type { RemoteInterface } from '../base/remote-interface.ts';
import type { CommandAnswer } from '../commands/command-dispatcher.ts';

/** A remote service and its base address. */
export interface RemoteService {
  /** `northwind` */
  readonly name: string;
  readonly baseUrl: string;
}

/** The services that the backend calls, by the names of its settings. */
export function remoteServices(settings: {
  readonly simProviders?: Readonly<Record<string, RemoteInterface>>;
  readonly makers?: Readonly<Record<string, RemoteInterface>>;
  readonly alertUrl?: string;
}): readonly RemoteService[] {
  const { simProviders, makers, alertUrl } = settings;
  const alerts = alertUrl === undefined ? {} : { alerts: { baseUrl: alertUrl } };
  return Object.entries({ ...simProviders, ...makers, ...alerts }).map(([name, { baseUrl }]) => ({
    name,
    baseUrl,
  }));
}

/** The same calls, counted as `calls.<class of status or failed>.<remote>`; an unknown address is `other`. */
export function countedHttp(
  http: Http,
  remotes: readonly RemoteService[],
  counters: Pick<Counters, 'add'>,
): Http {
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

/** The same dispatcher, whose answers are counted as `commands.<by>.<done or the problem>`. */
export function countedDispatcher<
  Order,
  Dispatcher extends { execute(order: Order): Promise<CommandAnswer> },
>(dispatcher: Dispatcher, by: 'box' | 'maker', counters: Pick<Counters, 'add'>): Dispatcher {
  return {
    ...dispatcher,
    async execute(order: Order) {
      const answer = await dispatcher.execute(order);
      counters.add(`commands.${by}.${answer.done ? 'done' : answer.refusal.problem}`);
      return answer;
    },
  };
}
