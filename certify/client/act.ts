import type { ControlApi } from '../../deployment/http/control-api.ts';
import type { Act } from '../../judge/client/episodes.ts';
import { OWN_HEADER } from './api-observer.ts';
import { limits } from './limits.ts';

/** The targets of acts. */
export interface Stage {
  readonly control: ControlApi;
  /** Of the boxes that are in a vehicle. */
  readonly boxIds: readonly string[];
  readonly baseUrl: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** Marks the run's own requests. */
  readonly ownMark: string;
  readonly broker: { setAway(isAway: boolean): void };
}

/**
 * Performs one act, of an episode of this length. Rejects where it is refused; of boxes, where each of them refuses: a
 * vehicle may be in a state that forbids the act, and the others are enough.
 */
export async function perform(stage: Stage, act: Act, lengthS: number): Promise<void> {
  const { control } = stage;
  switch (act.kind) {
    case 'boxes': {
      const all = stage.boxIds.map((boxId) => control('POST', `/boxes/${boxId}/${act.action}`, act.body));
      const results = await Promise.allSettled(all);
      if (results.every(({ status }) => status === 'rejected')) await Promise.all(all);
      break;
    }
    case 'control':
      await control('PUT', act.path, act.body);
      break;
    case 'weather':
      await control('POST', '/faults', { weather: act.weather, for: `${lengthS}s` });
      break;
    case 'permissions': {
      const { permissions } = (await control('GET', '/service')) as { readonly permissions: string[] };
      await control('PUT', `/service/clients/${stage.client.id}`, {
        permissions: permissions.filter((name) => !act.without.includes(name)),
      });
      break;
    }
    case 'quota':
      await useUpQuota(stage);
      break;
    case 'broker':
      stage.broker.setAway(act.isAway);
      break;
    default:
      act satisfies never;
  }
}

/**
 * Sends requests as the client would, until one is refused with 429. Rejects where the quota is renewed meanwhile, as on a
 * busy machine: used up now, it would be refused for a whole window, far into the next episodes.
 */
async function useUpQuota({ baseUrl, client, ownMark }: Stage): Promise<void> {
  const headers = { [OWN_HEADER]: ownMark };
  const account = Buffer.from(`${client.id}:${client.secret}`, 'utf8').toString('base64');
  const granted = await fetch(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { ...headers, authorization: `Basic ${account}` },
  });
  const { access_token: token } = (await granted.json()) as { readonly access_token?: string };
  let left: number = limits.mostCalls;
  let isUsedUp = false;
  const renewals = new Set<string>();
  const call = async () => {
    while (!isUsedUp && renewals.size < 2 && left > 0) {
      left--;
      const answer = await fetch(`${baseUrl}/vehicles?limit=1`, {
        headers: { ...headers, authorization: `Bearer ${token}` },
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) isUsedUp = true;
      const renewed = answer.headers.get('x-rate-limit-reset');
      if (renewed !== null) renewals.add(renewed);
    }
  };
  await Promise.all(Array.from({ length: limits.callsAtOnce }, call));
  if (renewals.size > 1) throw new Error('the quota of the client was renewed before it was used up');
}
