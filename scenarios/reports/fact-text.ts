import type { Fact, FactKind, VehicleNumber } from '../../judge/evidence/fact.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { durationText } from '../run/time-text.ts';
import { expectationName } from './played-scenario.ts';
import { stepText } from './step-text.ts';

/** One fact as a line for people, without its time. */
export function factText(fact: Fact, { scenario }: Pick<RunOutcome, 'scenario'>): string {
  switch (fact.kind) {
    case 'connectivity':
      return `${name(fact.vehicle)} is ${fact.state}`;
    case 'journal':
      return `${name(fact.vehicle)} holds ${fact.held} in its journal`;
    case 'fault':
      return `fault ${fact.phase}: ${faultWords(fact).join(', ')}${onVehicles(fact.vehicles)}`;
    case 'act':
      return `${name(fact.vehicle)}: ${fact.name}${fact.refusal === undefined ? '' : `, refused: ${fact.refusal}`}`;
    case 'call':
      return `call ${fact.call}${about(fact.vehicle)}: ${fact.what}, as ${fact.as}`;
    case 'answer': {
      const { call, status, problem, detail, tookMs } = fact;
      const answer = status === 0 ? 'no answer, the service went away' : `${status}`;
      const why = [problem, detail].filter((text) => text !== undefined).join(', ');
      return `answer to call ${call}${about(fact.vehicle)}: ${answer}${why === '' ? '' : ` ${why}`} after ${durationText(tookMs)}`;
    }
    case 'message':
      return `message ${fact.name}${fact.vehicle === undefined ? ` of ${fact.vehicleId}` : about(fact.vehicle)} in ${fact.queue}, ${fact.messageId}`;
    case 'service':
      return `the service is ${fact.state}: ${fact.reason}`;
    case 'step':
      return `${stepText(scenario, fact.step)} ${fact.phase}`;
    case 'expectation': {
      const step = scenario.steps[fact.step];
      const expectation = expectationName(scenario, {
        ...fact,
        isNever: step !== undefined && fact.expectation >= step.expect.length,
        ...(step?.label === undefined ? {} : { label: step.label }),
      });
      return `${expectation} ${fact.isMet ? 'met' : 'NOT met'}${about(fact.vehicle)}: ${fact.text}`;
    }
    case 'finding': {
      const { checker, vehicle, text } = fact.finding;
      return `${checker}${about(vehicle)}: ${text}`;
    }
    default:
      return fact satisfies never;
  }
}

/** The name of a fault, and its settings where there are any. */
export function faultWords({ name, detail }: Extract<FactKind, { kind: 'fault' }>): readonly string[] {
  return [name, detail].filter((text) => text !== '' && text !== '{}');
}

/** Whether a fact is about this vehicle; undefined: about the service, the brokers, or all. */
export function isAbout(fact: FactKind, vehicle: VehicleNumber | undefined): boolean {
  switch (fact.kind) {
    case 'fault':
      return fact.vehicles.length === 0 || (vehicle !== undefined && fact.vehicles.includes(vehicle));
    case 'service':
    case 'step':
      return true;
    case 'finding':
      return fact.finding.vehicle === undefined || fact.finding.vehicle === vehicle;
    default:
      return fact.vehicle === undefined || fact.vehicle === vehicle;
  }
}

function name(vehicle: VehicleNumber): string {
  return `vehicle ${vehicle}`;
}

function about(vehicle: VehicleNumber | undefined): string {
  return vehicle === undefined ? '' : `, ${name(vehicle)}`;
}

function onVehicles(vehicles: readonly VehicleNumber[]): string {
  if (vehicles.length === 0) return '';
  if (vehicles.length <= 4) return `, vehicle ${vehicles.join(', ')}`;
  return `, ${vehicles.length} vehicles`;
}
