import type { Fault } from './explain.ts';
import type { Document } from './problem.ts';
import type { Place } from './vary.ts';
import { VEHICLE_ACTS } from './vehicle-acts.ts';

type Loose = Readonly<Record<string, unknown>>;

const DEEDS: readonly string[] = ['call', 'weather', 'break', ...Object.keys(VEHICLE_ACTS)];
const PICKS = ['box', 'count', 'fraction', 'same_as', 'others_than'];

/** Words of a step that cannot stand beside each other, as they are written. */
export function checkWords(document: Document): readonly Fault[] {
  const steps = document['steps'] as readonly Loose[];
  return steps.flatMap((step, index) => {
    const has = (word: string) => step[word] !== undefined;
    const found: Fault[] = [];
    const say = (word: string, message: string, ...more: Place) =>
      found.push({ place: ['steps', index, word, ...more], of: 'name', message });
    const deeds = DEEDS.filter((word) => Object.hasOwn(step, word));
    const [first, second] = deeds;
    if (second !== undefined) {
      say(
        second,
        `A step does one thing, and this one has ${first} already. Make a step of its own for ${second}.`,
      );
    }
    if (first === undefined && !has('expect') && !has('never')) {
      found.push({
        place: ['steps', index],
        of: 'value',
        message: 'This step does nothing and expects nothing.',
        hint: `It needs one of ${DEEDS.join(', ')}, or expect or never.`,
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
    return found;
  });
}
