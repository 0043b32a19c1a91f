import { HttpUnreachable } from '../../world/http.ts';
import type { World } from '../../world/world.ts';
import type { RemoteInterface } from '../service.ts';
import type { Sim } from '../store/vehicle-store.ts';
import { DIALECTS } from './dialects.ts';
import { connectivityLimits } from './limits.ts';
import type { ConnectivityCommandName } from './providers.ts';

export interface Connectivity {
  /**
   * Has the provider of a card carry a command out. It is asked once: a call that got no answer may have acted, and
   * the caller may ask again, since each command can be repeated. Rejects only where the world does.
   */
  act(sim: Sim, command: ConnectivityCommandName): Promise<Acted>;
}

/** `cause` is for the operator: it may quote the provider. */
export type Acted = { readonly done: true } | { readonly done: false; readonly cause: string };

/** The clients of all SIM providers. `interfaces`: by the names of providers.ts. */
export function makeConnectivity(
  world: Pick<World, 'http'>,
  interfaces: Readonly<Record<string, RemoteInterface>>,
): Connectivity {
  return {
    async act(sim, command) {
      const who = `SIM provider ${sim.provider}`;
      const remote = interfaces[sim.provider];
      const dialect = DIALECTS.get(sim.provider);
      const spoken = dialect?.requests[command]?.(encodeURIComponent(sim.iccid));
      if (remote === undefined) return failed(`${who}: the settings name no interface of it`);
      if (dialect === undefined || spoken === undefined) return failed(`${who}: it has no ${command}`);
      const json = { 'content-type': 'application/json' };
      try {
        const answer = await world.http.call({
          method: spoken.method,
          url: `${remote.baseUrl}${spoken.path}`,
          headers: { ...dialect.signIn(remote.apiKey), ...(spoken.body === undefined ? {} : json) },
          ...(spoken.body === undefined ? {} : { body: JSON.stringify(spoken.body) }),
          timeoutMs: connectivityLimits.answerTimeoutMs,
          maxBodyBytes: connectivityLimits.answerBytes,
        });
        if (dialect.isDone(answer)) return { done: true };
        return failed(`${who} answered ${answer.status}: ${quoted(answer.body)}`);
      } catch (error) {
        if (error instanceof HttpUnreachable) return failed(`${who}: ${error.message}`);
        throw error;
      }
    },
  };
}

function failed(cause: string): Acted {
  return { done: false, cause };
}

function quoted(body: string): string {
  return body.length > connectivityLimits.quotedCharacters
    ? `${body.slice(0, connectivityLimits.quotedCharacters)}…`
    : body;
}
