import { expect, test } from 'vitest';
import {
  exploreLimits,
  languageLimits,
  reportLimits,
  runLimits,
  testbedLimits,
  traceLimits,
} from '../../../scenarios/limits.ts';

test('a scenario that is drawn, or made from a trace, is within the bounds of a scenario file', () => {
  expect(traceLimits.steps).toBeLessThan(languageLimits.steps);
  expect(traceLimits.groups).toBeLessThanOrEqual(languageLimits.fleetGroups);
  expect(exploreLimits.swarmMostSteps).toBeLessThan(languageLimits.steps);
  expect(exploreLimits.swarmBackends).toBeLessThanOrEqual(languageLimits.backends);
  expect(exploreLimits.quotaMost).toBeLessThanOrEqual(languageLimits.callsPerMinute);
  expect(exploreLimits.formRounds).toBeLessThanOrEqual(languageLimits.rounds);
});

test('an expectation is evaluated several times within its default time', () => {
  expect(runLimits.firstLookMs).toBeLessThan(runLimits.lastLookMs);
  expect(languageLimits.usualWithinMs * runLimits.lookFraction).toBeGreaterThanOrEqual(runLimits.firstLookMs);
  expect(runLimits.changeStepMs).toBeLessThan(runLimits.changeSpanMs);
  expect(runLimits.changeSpanMs).toBeLessThan(runLimits.changeSearchMs);
});

test('a run keeps at least what a report shows of it', () => {
  expect(runLimits.warnings).toBeGreaterThanOrEqual(reportLimits.warnings);
  expect(runLimits.changesPerExpectation).toBeGreaterThanOrEqual(reportLimits.listedFailures);
});

test('what is kept for each vehicle is within what is kept of all', () => {
  expect(testbedLimits.pastChangesLeast).toBeLessThanOrEqual(testbedLimits.pastChangesMost);
  expect(testbedLimits.pastChangesMost).toBeLessThanOrEqual(testbedLimits.pastChanges);
  expect(testbedLimits.bulkVehicles).toBeLessThanOrEqual(languageLimits.boxes);
});
