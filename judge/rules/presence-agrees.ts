import { sleep } from '../../world/time/time.ts';
import type { Fact, VehicleNumber } from '../evidence/fact.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import { judgeContactInAnswers } from './answers/contact-in-answers.ts';
import { judgePresenceInAnswers } from './answers/presence-in-answers.ts';
import type { Checker, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { wasHelloHeldBack } from './held-back-hello.ts';
import { limits } from './limits.ts';

/**
 * Compares the life status of each vehicle in the API with the session of its box, once all has healed: ONLINE if the
 * box is connected and ready, and not ONLINE if it is not connected. A difference is read again for a while, since a
 * dead connection is noticed only after its keep-alive. A box whose session ended with its broker, and that has not
 * reconnected since, is excluded: that broker published no will for it (MQTT 3.1.1, 3.1.2.5). So is one whose hello was
 * held back by weather. Answers during the run are compared with the sessions of their time
 * (answers/presence-in-answers.ts), and so is the last contact (answers/contact-in-answers.ts).
 */
export const presenceAgrees: Checker = async (scope) => {
  const findings = new Findings();
  const unwilled = endedWithBroker(scope.facts);
  let open = scope.vehicles.filter(
    (vehicle) =>
      vehicle.vehicleId !== '' &&
      vehicle.boxId !== undefined &&
      !unwilled.has(vehicle.number) &&
      !wasHelloHeldBack(vehicle, scope.facts),
  );
  const count = open.length;
  let wrong = new Map<SimulatedVehicle, string>();
  for (let waitedMs = 0; ; waitedMs += limits.presenceLookMs) {
    wrong = new Map();
    for (const vehicle of open) {
      const difference = await differenceOf(scope, vehicle);
      if (difference !== undefined) wrong.set(vehicle, difference);
    }
    open = [...wrong.keys()];
    if (open.length === 0 || waitedMs >= limits.presencePatienceMs) break;
    await sleep(scope.testbed.time, limits.presenceLookMs);
  }
  for (const [vehicle, text] of wrong)
    findings.add('a life status that is not so', `${nameOf(vehicle)}: ${text}`, { vehicle });
  const answers = await judgePresenceInAnswers(scope, findings);
  const contacts = await judgeContactInAnswers(scope, findings);
  return findings.result([
    [count, 'vehicle'],
    [answers, 'answer'],
    [contacts, 'contact'],
  ]);
};

async function differenceOf(
  { evidence, testbed }: CheckScope,
  vehicle: SimulatedVehicle,
): Promise<string | undefined> {
  const { isConnected, belief } = testbed.snapshotOf(vehicle);
  const told = (await evidence.twin(vehicle))['life_status'] as { readonly value?: unknown } | undefined;
  if (told?.value === undefined) return undefined;
  const isReady = isConnected && belief['session'] === 'ready' && belief['hangsUntilMs'] === null;
  if (isReady && told.value !== 'ONLINE') return `its box is ready, and the API says ${String(told.value)}`;
  if (!isConnected && told.value === 'ONLINE') return 'its box has no connection, and the API says ONLINE';
  return undefined;
}

/** The vehicles whose box had a session last when a broker went down. */
function endedWithBroker(facts: readonly Fact[]): ReadonlySet<VehicleNumber> {
  const ended = new Set<VehicleNumber>();
  const inSession = new Set<VehicleNumber>();
  for (const fact of facts) {
    if (fact.kind === 'connectivity') {
      if (fact.state === 'connected' || fact.state === 'ready') {
        inSession.add(fact.vehicle);
        ended.delete(fact.vehicle);
      } else inSession.delete(fact.vehicle);
    } else if (fact.kind === 'fault' && fact.name.startsWith('broker ') && fact.phase !== 'ends')
      for (const vehicle of inSession) ended.add(vehicle);
  }
  return ended;
}
