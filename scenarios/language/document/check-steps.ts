import { checkPatterns } from '../expectations/check-patterns.ts';
import { EXPECTATIONS } from '../expectations/expectations.ts';
import { VEHICLE_ACTS } from '../steps/vehicle-acts.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import type { DocumentFault } from './explain.ts';
import type { ScenarioDocument } from './problem.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const STEP_ACTIONS: ReadonlySet<string> = new Set(['call', 'weather', 'break', ...Object.keys(VEHICLE_ACTS)]);
const PICKS = ['box', 'count', 'fraction', 'same_as', 'others_than'];

/** Words of a step that cannot stand beside each other, as they are written. */
export function checkWords(document: ScenarioDocument): readonly DocumentFault[] {
  const steps = document['steps'] as readonly JsonObject[];
  return steps.flatMap((step, index) => {
    const has = (word: string) => step[word] !== undefined;
    const found: DocumentFault[] = [];
    const say = (word: string, message: string, ...more: DocumentPlace) =>
      found.push({ place: ['steps', index, word, ...more], of: 'name', message });
    const deeds = Object.keys(step).filter((word) => STEP_ACTIONS.has(word));
    const [first, second] = deeds;
    if (second !== undefined) {
      say(
        second,
        `A step does one thing, and this one has ${first} already. Make a separate step for ${second}.`,
      );
    }
    if (first === undefined && !has('expect') && !has('never')) {
      found.push({
        place: ['steps', index],
        of: 'value',
        message: 'This step does nothing and expects nothing.',
        hint: `It needs one of ${[...STEP_ACTIONS].join(', ')}, or expect or never.`,
      });
    }
    if (has('at') && has('after')) say('after', 'A step begins at a time, or after another one: not both.');
    if (has('at') && has('delay'))
      say('delay', '`delay` counts from the end of other steps; `at` says the time itself.');
    if (has('within') && !has('expect') && !has('never')) {
      say('within', '`within` is for what the step expects, and it expects nothing.');
    }
    const { on } = step;
    if (typeof on === 'object' && on !== null) {
      const [pick, another] = PICKS.filter((word) => Object.hasOwn(on, word));
      if (another !== undefined)
        say('on', `\`on\` has ${pick} already: only one of ${PICKS.join(', ')}.`, another);
    }
    for (const list of ['expect', 'never'] as const)
      found.push(...checkExpectations(step[list], ['steps', index, list]));
    return found;
  });
}

/** Whether each word of an expectation has the word with it to which it belongs. */
function checkExpectations(given: unknown, at: DocumentPlace): readonly DocumentFault[] {
  if (given === undefined) return [];
  const isList = Array.isArray(given);
  const maps = (isList ? given : [given]) as readonly JsonObject[];
  return maps.flatMap((words, index): readonly DocumentFault[] => {
    const place = isList ? [...at, index] : at;
    if (Object.keys(words).length === 0) {
      return [{ place, of: 'value', message: 'Nothing is expected here. Name something, or leave it out.' }];
    }
    const lonely = Object.values(EXPECTATIONS).flatMap(
      ({ settings: { shape } }): readonly DocumentFault[] => {
        const own = Object.keys(shape).filter((word) => words[word] !== undefined);
        const missing = Object.entries(shape).find(
          ([word, schema]) => words[word] === undefined && !schema.safeParse(undefined).success,
        );
        const [first] = own;
        if (first === undefined || missing === undefined) return [];
        const message = `\`${first}\` goes with \`${missing[0]}\`, which is not there.`;
        return [{ place: [...place, first], of: 'name', message }];
      },
    );
    return [...lonely, ...checkPatterns(words, place)];
  });
}
