import type { ScenarioMistake } from '../../console/stream/scenarios.ts';
import { addOwnModels } from '../../protocol/models/known-models.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { runThread } from '../../world/threads/thread-program.ts';

/** What the thread of checks is started with. */
export interface CheckThreadSettings {
  readonly models: readonly VehicleModel[];
}

/**
 * The program of the thread that checks scenarios for the console: a text for each request, its mistakes as the answer.
 */
runThread<CheckThreadSettings, string, readonly ScenarioMistake[]>(({ models }) => {
  addOwnModels(models);
  return {
    answer(text) {
      const read = readScenario(text, 'scenario.yaml');
      if (read.ok) return [];
      return read.problems.map(({ line, column, message, hint }) => ({
        line,
        column,
        text: hint === undefined ? message : `${message} ${hint}`,
      }));
    },
    close: () => undefined,
  };
});
