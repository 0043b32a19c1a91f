import type { JsonObject } from '../../../world/json.ts';
import { languageLimits } from '../../limits.ts';
import { EXPECTATIONS } from '../expectations/expectations.ts';
import { ACT_NAMES } from '../steps/vehicle-acts.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import type { DocumentFault } from './explain.ts';
import type { ScenarioDocument } from './problem.ts';
import { parseSpan } from './quantity.ts';

const STEP_ACTIONS: ReadonlySet<string> = new Set(['call', 'weather', 'break', ...ACT_NAMES]);
const PICKS = ['box', 'count', 'fraction', 'same_as', 'others_than'];

/** Words of a step that exclude each other, as they are written. */
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
    if (has('at') && has('delay') && !has('when'))
      say('delay', '`delay` counts from the end of other steps; `at` says the time itself.');
    if (isMap(step['when']) && step['when']['point'] !== undefined && step['when']['of'] !== undefined)
      say('when', '`of` says whose frame, message or session it is; a `point` is of no vehicle.', 'of');
    if (isMap(step['in'])) {
      if (!has('weather')) say('in', '`in` says where weather lies, and this step has no `weather`.');
      found.push(...checkPlace(step['in'], ['steps', index, 'in']));
    }
    const named = backendNamed(step['break']);
    if (named !== undefined && named > Number(document['backends'] ?? 1))
      say(
        'break',
        `There is no backend ${named}: this scenario has ${Number(document['backends'] ?? 1)} (\`backends\`).`,
      );
    if (isMap(step['repeat'])) found.push(...checkRepeat(step['repeat'], ['steps', index, 'repeat']));
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

/** The number of the backend that a break names; undefined: it has none, or breaks another part. */
function backendNamed(broken: unknown): number | undefined {
  if (!isMap(broken) || !isMap(broken['backend'])) return undefined;
  const [settings] = Object.values(broken['backend']);
  const which = isMap(settings) ? settings['which'] : undefined;
  return typeof which === 'number' ? which : undefined;
}

/** Whether the number of rounds is known, and within the limit. */
function checkRepeat(
  { every, for: long, times }: JsonObject,
  place: DocumentPlace,
): readonly DocumentFault[] {
  if ((long === undefined) === (times === undefined)) {
    const [message, where] =
      long === undefined
        ? ['It is not said how often. Add `for`, a time such as 5m, or `times`, a number of rounds.', place]
        : ['`for` says how long, and `times` how often: one of them.', [...place, 'times']];
    return [{ place: where, of: long === undefined ? 'value' : 'name', message }] as readonly DocumentFault[];
  }
  const rounds = Math.ceil((parseSpan(String(long)) ?? 0) / (parseSpan(String(every)) ?? 1));
  if (long === undefined || rounds <= languageLimits.rounds) return [];
  const message = `These are ${rounds} rounds. A step has ${languageLimits.rounds} at most.`;
  return [{ place: [...place, 'for'], of: 'value', message, hint: 'Make `every` longer, or `for` shorter.' }];
}

/** Whether a place is either a circle or a polygon, and complete. */
function checkPlace(given: JsonObject, place: DocumentPlace): readonly DocumentFault[] {
  const { around, radius_m: radius, polygon } = given;
  const isCircle = around !== undefined && radius !== undefined && polygon === undefined;
  const isPolygon = around === undefined && radius === undefined && polygon !== undefined;
  if (isCircle || isPolygon) return [];
  const message = 'A place is a circle, with `around` and `radius_m`, or a `polygon`.';
  return [{ place, of: 'value', message }];
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** Whether each word of an expectation has the word that it depends on. */
function checkExpectations(given: unknown, at: DocumentPlace): readonly DocumentFault[] {
  if (given === undefined) return [];
  const isList = Array.isArray(given);
  const maps = (isList ? given : [given]) as readonly JsonObject[];
  return maps.flatMap((words, index): readonly DocumentFault[] => {
    const place = isList ? [...at, index] : at;
    if (Object.keys(words).length === 0) {
      return [{ place, of: 'value', message: 'Nothing is expected here. Name something, or leave it out.' }];
    }
    return Object.values(EXPECTATIONS).flatMap(({ settings: { shape } }): readonly DocumentFault[] => {
      const own = Object.keys(shape).filter((word) => words[word] !== undefined);
      const missing = Object.entries(shape).find(
        ([word, schema]) => words[word] === undefined && !schema.safeParse(undefined).success,
      );
      const [first] = own;
      if (first === undefined || missing === undefined) return [];
      const message = `\`${first}\` goes with \`${missing[0]}\`, which is not there.`;
      return [{ place: [...place, first], of: 'name', message }];
    });
  });
}
