import { BREAKS } from './breaks.ts';
import { CALLS, COMMAND_FOLDERS } from './calls.ts';
import { EXPECTATIONS } from './expectations.ts';
import type { Place } from './vary.ts';
import { WEATHER } from './weather.ts';

/** Where a word belongs that stands at the wrong place: `command` in a step belongs below `call`. */
export function belongsElsewhere(word: string, place: Place): string | undefined {
  const [list, index, deed, ...more] = place;
  if (list !== 'steps' || typeof index !== 'number' || more.length > 0) return undefined;
  // The reader of a flow map takes `at:3s` for one word.
  const [, name, value] = /^([a-z_-]+):(\S+)$/.exec(word) ?? [];
  if (name !== undefined) return `Behind the colon stands a space: \`${name}: ${value}\`.`;
  if (deed === 'call' && COMMAND_FOLDERS.has(word))
    return `A command is named so: \`call: { command: ${word} }\`.`;
  if (deed !== undefined) return undefined;
  if (COMMAND_FOLDERS.has(word)) return `It is a command: \`call: { command: ${word} }\`.`;
  if (Object.hasOwn(CALLS, word)) return `It belongs to a call: \`call: { ${word}: ... }\`.`;
  if (Object.hasOwn(WEATHER, word)) return `It is weather: \`weather: { ${word}: ... }\`.`;
  const part = Object.entries(BREAKS).find(([, words]) => Object.hasOwn(words, word))?.[0];
  if (part !== undefined) return `It is something that breaks: \`break: { ${part}: ${word} }\`.`;
  if (Object.hasOwn(BREAKS, word)) return `It is a part that breaks: \`break: { ${word}: ... }\`.`;
  const isExpected = Object.values(EXPECTATIONS).some(({ settings: { shape } }) =>
    Object.hasOwn(shape, word),
  );
  if (isExpected) return `It is something to expect: \`expect: { ${word}: ... }\`.`;
  return undefined;
}
