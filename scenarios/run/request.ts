import { type Call, COMMAND_FOLDERS } from '../language/calls.ts';
import type { Asked, Player, Theatre } from './theatre.ts';

/** One request that is to be sent, and the vehicle that it is about; none where it is about none or about several. */
export interface Planned {
  readonly player?: Player;
  readonly asked: Asked;
}

/** What a run keeps from one call for the next. */
export interface Kept {
  /** Tokens by the names under which `token` kept them. */
  readonly tokens: ReadonlyMap<string, string>;
  /** The last bulk job. */
  readonly jobId: string | undefined;
  /** Subscriptions by name: their ids. */
  readonly subscriptions: ReadonlyMap<string, string>;
}

/** The requests that a call of a step stands for. The call `token` stands for none: the run fetches it itself. */
export function requestsOf(
  call: Call,
  players: readonly Player[],
  kept: Kept,
  theatre: Pick<Theatre, 'fleetId'>,
): readonly Planned[] {
  const as = call.as ?? 'owner';
  const token = call.bearer === undefined ? undefined : kept.tokens.get(call.bearer);
  const made = (method: string, path: string, body?: unknown): Asked => ({
    method,
    path,
    as,
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
  const each = (ask: (player: Player) => Asked) => players.map((player) => ({ player, asked: ask(player) }));
  const below = (player: Player, path: string) => `/vehicles/${player.vehicleId}${path}`;
  const filled = (path: string, ask: (path: string) => Asked): readonly Planned[] =>
    /\{(?:vehicle|box)\}/.test(path)
      ? each((player) => ask(fill(path, kept, theatre, player)))
      : [{ asked: ask(fill(path, kept, theatre)) }];

  switch (call.name) {
    case 'command':
      return each((player) =>
        made('POST', below(player, `/${COMMAND_FOLDERS.get(call.settings) ?? 'commands'}/${call.settings}`)),
      );
    case 'configure':
      return Object.entries(call.settings).flatMap(([feature, parameters]) =>
        parameters === undefined
          ? []
          : each((player) => made('PUT', below(player, featurePath(feature)), parameters)),
      );
    case 'deactivate':
      return each((player) => made('DELETE', below(player, featurePath(call.settings))));
    case 'bulk':
      return [{ asked: made('POST', BULK, bulkBody(players, call.settings)) }];
    case 'token':
      return [];
    case 'get':
      return filled(call.settings, (path) => made('GET', path));
    case 'patch':
      return each((player) => made('PATCH', below(player, ''), call.settings));
    case 'onboard':
      return each((player) =>
        made('POST', '/vehicles', { telematics_unit: { id: player.boxId }, vehicle_model: player.model }),
      );
    case 'offboard':
      return each((player) => made('DELETE', below(player, '')));
    case 'share':
      return each((player) =>
        made('PUT', below(player, '/sharing'), { partner_fleet_id: theatre.fleetId(call.settings) }),
      );
    case 'unshare':
      return each((player) => made('DELETE', below(player, '/sharing')));
    case 'subscribe': {
      const { name, topics } = call.settings;
      return [{ asked: made('POST', '/message-subscriptions', { queue_discriminator: name, topics }) }];
    }
    case 'unsubscribe': {
      const id = kept.subscriptions.get(call.settings) ?? call.settings;
      return [{ asked: made('DELETE', `/message-subscriptions/${id}`) }];
    }
    case 'request': {
      const { method, path, body, headers } = call.settings;
      return filled(path, (to) => ({
        ...made(method, to, body),
        ...(headers === undefined ? {} : { headers }),
      }));
    }
    default:
      return call satisfies never;
  }
}

export const BULK = '/configure-vehicle-telematics-unit-bulk';

/** What a call is called in a timeline: `command unlock-central-lock`. */
export function nameOf(call: Call): string {
  const { settings } = call;
  return typeof settings === 'string' ? `${call.name} ${settings}` : call.name;
}

function featurePath(feature: string): string {
  return feature === 'box-settings'
    ? '/telematics-unit/box-settings'
    : `/telematics-unit/feature-configuration/${feature}`;
}

/** Of a bulk request: the keys are the features' names in snake_case (gaps.md, Feature configuration). */
function bulkBody(players: readonly Player[], features: object): unknown {
  return {
    items: players.map(({ vehicleId }) => ({ id: vehicleId })),
    feature_configuration: Object.fromEntries(
      Object.entries(features).map(([name, value]) => [name.replaceAll('-', '_'), value]),
    ),
  };
}

function fill(path: string, kept: Kept, theatre: Pick<Theatre, 'fleetId'>, player?: Player): string {
  return path
    .replaceAll('{vehicle}', player?.vehicleId ?? '')
    .replaceAll('{box}', player?.boxId ?? '')
    .replaceAll('{job}', kept.jobId ?? '')
    .replaceAll('{fleet}', player?.fleetId ?? theatre.fleetId('own'));
}
