import { jsonObject } from '../../world/json.ts';
import type { Act, ActionCatalogue, ApiCommand } from '../stream/actions.ts';
import type { ServiceCaller } from './sources.ts';

const VEHICLE_PATH = /^\/vehicles\/\{id\}(\/|$)/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * All actions on a vehicle: the acts that the control API lists, and the operations in the OpenAPI document of the service. A
 * new row of either appears without a change here.
 */
export function makeActionCatalogue(
  control: (path: string) => Promise<unknown>,
  caller: ServiceCaller | undefined,
): () => Promise<ActionCatalogue> {
  return async () => {
    const description = jsonObject(await control('/'));
    const acts = Object.entries(jsonObject(description['post'])).flatMap(([path, row]): Act[] => {
      const name = /^\/boxes\/\{id\}\/([a-z-]+)$/.exec(path)?.[1];
      const { does, example } = jsonObject(row);
      return name === undefined ? [] : [{ name, does: String(does ?? ''), example }];
    });
    return { acts, commands: caller === undefined ? [] : await commandsOf(caller) };
  };
}

async function commandsOf(caller: ServiceCaller): Promise<readonly ApiCommand[]> {
  const answer = await caller.call('GET', '/openapi.json');
  const paths = jsonObject(jsonObject(await answer.json())['paths']);
  return Object.entries(paths).flatMap(([path, operations]) =>
    VEHICLE_PATH.test(path)
      ? METHODS.flatMap((method): ApiCommand[] => {
          const operation = jsonObject(operations)[method];
          if (operation === undefined) return [];
          const { summary, tags, requestBody } = jsonObject(operation);
          return [
            {
              method: method.toUpperCase(),
              path,
              summary: String(summary ?? ''),
              group: Array.isArray(tags) ? String(tags[0] ?? '') : '',
              ...(requestBody === undefined ? {} : { example: exampleOf(requestBody) }),
            },
          ];
        })
      : [],
  );
}

function exampleOf(requestBody: unknown): unknown {
  return jsonObject(jsonObject(jsonObject(requestBody)['content'])['application/json'])['example'] ?? {};
}
