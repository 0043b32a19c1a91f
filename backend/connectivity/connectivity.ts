import { LIMITS } from '../../contract/limits.ts';
import type { ConnectivityCommandName } from '../../contract/sim-providers.ts';
import { HttpUnreachable } from '../../world/http/http.ts';
import type { World } from '../../world/world.ts';
import { connectivityLimits } from '../base/limits.ts';
import type { RemoteInterface } from '../base/remote-interface.ts';
import type { Sim } from '../store/port/stored-vehicle.ts';
import { DIALECTS } from './dialects.ts';

export interface Connectivity {
  /**
   * Has the provider of a SIM carry out a command, with a single call: one without an answer may have had an effect,
   * and the caller can retry, since each command is idempotent. Rejects only if the world does.
   */
  act(sim: Sim, command: ConnectivityCommandName): Promise<ConnectivityResult>;
}

/** `cause` is for the operator and may quote the provider. */
export type ConnectivityResult = { readonly done: true } | { readonly done: false; readonly cause: string };

/** The clients of all SIM providers. `interfaces`: by the names of backend/vehicles/sim-providers.ts. */
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
      if (remote === undefined) return failed(`${who}: the settings contain no interface for it`);
      if (dialect === undefined || spoken === undefined)
        return failed(`${who}: it does not support ${command}`);
      const json = { 'content-type': 'application/json' };
      try {
        const answer = await world.http.call({
          method: spoken.method,
          url: `${remote.baseUrl}${spoken.path}`,
          headers: { ...dialect.signIn(remote.apiKey), ...(spoken.body === undefined ? {} : json) },
          ...(spoken.body === undefined ? {} : { body: JSON.stringify(spoken.body) }),
          timeoutMs: LIMITS.answer.simProviderMs,
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

function failed(cause: string): ConnectivityResult {
  return { done: false, cause };
}

function quoted(body: string): string {
  return body.length > connectivityLimits.quotedCharacters
    ? `${body.slice(0, connectivityLimits.quotedCharacters)}…`
    : body;
}
