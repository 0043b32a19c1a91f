import { EXPECTATIONS } from '../expectations/expectations.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLS, COMMAND_FOLDERS } from '../steps/calls.ts';
import { PLACE_WORDS } from '../steps/known-mistakes.ts';
import { TRIGGERS } from '../steps/triggers.ts';
import { WEATHER } from '../steps/weather.ts';
import type { DocumentPlace } from '../vary/vary.ts';

/** Where a word belongs that stands at the wrong place: `command` in a step belongs below `call`. */
export function rightPlaceOf(word: string, place: DocumentPlace): string | undefined {
  const [list, index, action, ...more] = place;
  if (list !== 'steps' || typeof index !== 'number' || more.length > 0) return undefined;
  // The reader of a flow map takes `at:3s` for one word.
  const [, name, value] = /^([a-z_-]+):(\S+)$/.exec(word) ?? [];
  if (name !== undefined) return `Behind the colon stands a space: \`${name}: ${value}\`.`;
  if (action === 'call' && COMMAND_FOLDERS.has(word))
    return `A command is named so: \`call: { command: ${word} }\`.`;
  if (PLACE_WORDS.has(word) && action !== 'in') return `It belongs to a place: \`in: { ${word}: ... }\`.`;
  if (action !== undefined) return undefined;
  if (COMMAND_FOLDERS.has(word)) return `It is a command: \`call: { command: ${word} }\`.`;
  if (Object.hasOwn(CALLS, word)) return `It belongs to a call: \`call: { ${word}: ... }\`.`;
  if (Object.hasOwn(WEATHER, word)) return `It is weather: \`weather: { ${word}: ... }\`.`;
  const part = Object.entries(BREAKS).find(([, words]) => Object.hasOwn(words, word))?.[0];
  if (part !== undefined) return `It is something that breaks: \`break: { ${part}: ${word} }\`.`;
  if (Object.hasOwn(BREAKS, word)) return `It is a part that breaks: \`break: { ${word}: ... }\`.`;
  if (Object.hasOwn(TRIGGERS, word) && word !== 'message')
    return `It is a trigger: \`when: { ${word}: ... }\`.`;
  if (word === 'every' || word === 'times')
    return `It belongs to a repetition: \`repeat: { ${word}: ... }\`.`;
  const isExpected = Object.values(EXPECTATIONS).some(({ settings: { shape } }) =>
    Object.hasOwn(shape, word),
  );
  if (isExpected) return `It is something to expect: \`expect: { ${word}: ... }\`.`;
  return undefined;
}
