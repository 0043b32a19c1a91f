import type { Act, ApiCommand, Workbench } from '../stream/console-facts.ts';
import { record } from './comparison.ts';
import type { ServiceCaller } from './sources.ts';

const VEHICLE_PATH = /^\/vehicles\/\{id\}(\/|$)/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Everything that can be done with a vehicle: the acts that the control API lists, and the operations of the API's own
 * document. A new row of either appears by itself.
 */
export function makeWorkbench(
  control: (path: string) => Promise<unknown>,
  caller: ServiceCaller | undefined,
): () => Promise<Workbench> {
  return async () => {
    const description = record(await control('/'));
    const acts = Object.entries(record(description['post'])).flatMap(([path, row]): Act[] => {
      const name = /^\/boxes\/\{id\}\/([a-z-]+)$/.exec(path)?.[1];
      const { does, example } = record(row);
      return name === undefined ? [] : [{ name, does: String(does ?? ''), example }];
    });
    return { acts, commands: caller === undefined ? [] : await commandsOf(caller) };
  };
}

async function commandsOf(caller: ServiceCaller): Promise<readonly ApiCommand[]> {
  const answer = await caller.call('GET', '/openapi.json');
  const paths = record(record(await answer.json())['paths']);
  return Object.entries(paths).flatMap(([path, operations]) =>
    VEHICLE_PATH.test(path)
      ? METHODS.flatMap((method): ApiCommand[] => {
          const operation = record(operations)[method];
          if (operation === undefined) return [];
          const { summary, tags, requestBody } = record(operation);
          return [
            {
              ...{ method: method.toUpperCase(), path, summary: String(summary ?? '') },
              group: Array.isArray(tags) ? String(tags[0] ?? '') : '',
              ...(requestBody === undefined ? {} : { example: exampleOf(requestBody) }),
            },
          ];
        })
      : [],
  );
}

function exampleOf(requestBody: unknown): unknown {
  return record(record(record(requestBody)['content'])['application/json'])['example'] ?? {};
}
