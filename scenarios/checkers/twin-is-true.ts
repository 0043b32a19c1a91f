import { MODELS } from '../../protocol/models/models.ts';
import { sleep } from '../../world/time.ts';
import { counted } from '../language/counted.ts';
import type { Player } from '../run/theatre.ts';
import type { Check, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { limits } from './limits.ts';
import { Comparison, type Property } from './twin-comparison.ts';

/**
 * Compares what the API answers as a vehicle's latest state with the physics of the simulator: each value with what was
 * so at its own time, and of a vehicle that stands with its ignition off what a box can watch with what is so now. Of
 * the service nothing is used but the JSON of its answer. A vehicle that has just been parked has some seconds to be
 * told of: what differs is looked at anew before it counts.
 */
export const twinIsTrue: Check = async (scope) => {
  const findings = new Findings();
  const done = new Map<Player, Comparison>();
  let open = scope.players.filter(({ vehicleId }) => vehicleId !== '');
  for (let waitedMs = 0; ; waitedMs += limits.truthLookMs) {
    for (const player of open) done.set(player, await compare(scope, player));
    open = open.filter((player) => (done.get(player)?.differences.length ?? 0) > 0);
    if (open.length === 0 || waitedMs >= limits.truthPatienceMs) break;
    await sleep(scope.theatre.time, limits.truthLookMs);
  }
  for (const player of open)
    for (const { kind, text } of done.get(player)?.differences ?? [])
      findings.say(kind, `${nameOf(player)}: ${text}`, { player });
  return findings.checked(seenBy([...done.values()]));
};

async function compare(scope: CheckScope, player: Player): Promise<Comparison> {
  const { evidence, theatre } = scope;
  const answered = await evidence.twin(player);
  const comparison = new Comparison(scope, player, {
    model: MODELS.get(player.model),
    look: player.boxId === undefined ? undefined : theatre.look(player),
    state: stateOf(answered['latest_vehicle_state']),
    isBooked: answered['maintenance_booked'] === true,
  });
  if (answered['setup_status'] !== 'SUCCEEDED') comparison.excuse('it is not set up');
  else await comparison.compare();
  return comparison;
}

function stateOf(state: unknown): ReadonlyMap<string, Property> {
  if (typeof state !== 'object' || state === null) return new Map();
  return new Map(Object.entries(state as Readonly<Record<string, Property>>));
}

/** `812 values of 12 vehicles, 60 of them as they are now; not compared: 3 values (its box is in workshop mode)`. */
function seenBy(comparisons: readonly Comparison[]): string {
  const sum = (of: (one: Comparison) => number) => comparisons.reduce((all, one) => all + of(one), 0);
  const excused = new Map<string, number>();
  for (const one of comparisons)
    for (const [reason, count] of one.excused) excused.set(reason, (excused.get(reason) ?? 0) + count);
  const left = [...excused].map(([reason, count]) => `${counted(count, 'value')} (${reason})`);
  const values = counted(
    sum(({ compared }) => compared),
    'value',
  );
  const now = sum(({ comparedNow }) => comparedNow);
  return `${values} of ${counted(comparisons.length, 'vehicle')}, ${now} of them as they are now${
    left.length === 0 ? '' : `; not compared: ${left.join(', ')}`
  }`;
}
