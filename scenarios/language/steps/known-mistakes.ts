import type { DocumentPlace } from '../vary/vary.ts';
import { MESSAGES, type MessageKind, NOT_FOR, NOT_LATE } from './weather.ts';

/** The error text for a value in place of the schema's own. */
export interface KnownMistake {
  readonly message: string;
  readonly hint: string;
}

/** Common mistakes at a place, and their meaning; undefined: none is known for this value there. */
export function knownMistakeAt(
  place: DocumentPlace,
  value: unknown,
  nameOf: (place: DocumentPlace) => string,
): KnownMistake | undefined {
  const [list, index, word, fault, setting, ...more] = place;
  if (list !== 'steps' || typeof index !== 'number' || more.length > 0) return undefined;
  if (word === 'within' && fault === undefined) return placeInWithin(nameOf(place), value);
  if (word !== 'weather') return undefined;
  if (fault === 'double' && setting === undefined) return lateCopy(value);
  if (setting !== 'message') return undefined;
  return messageOfOtherFault(String(fault), value);
}

/** Other languages use `within` for places. */
function placeInWithin(name: string, value: unknown): KnownMistake | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const words = Object.keys(value).filter((name) => PLACE_WORDS.has(name));
  if (words.length === 0) return undefined;
  return {
    message: `${name} is a time span, and this is a place.`,
    hint: `A place is given with \`in\`: \`in: { ${words.map((name) => `${name}: ...`).join(', ')} }\`.`,
  };
}

/** The words by which a place is described. */
export const PLACE_WORDS: ReadonlySet<string> = new Set(['around', 'radius_m', 'polygon']);

function messageOfOtherFault(fault: string, value: unknown): KnownMistake | undefined {
  if (typeof value !== 'string' || !Object.hasOwn(MESSAGES, value)) return undefined;
  const reason = notFor(fault)[value as MessageKind];
  if (reason === undefined) return undefined;
  const names = (Object.keys(MESSAGES) as MessageKind[]).filter((name) => notFor(fault)[name] === undefined);
  const others = Object.keys(NOT_FOR).filter((name) => notFor(name)[value as MessageKind] === undefined);
  return {
    message: `${fault} takes no ${value}: ${reason}`,
    hint: `What befalls ${value}: ${others.join(', ')}. What ${fault} takes: ${names.join(', ')}.`,
  };
}

function lateCopy(settings: unknown): KnownMistake | undefined {
  const { message, by } = (settings ?? {}) as { readonly message?: unknown; readonly by?: unknown };
  const reason = NOT_LATE[message as MessageKind];
  if (by === undefined || reason === undefined) return undefined;
  return {
    message: `double takes no \`by\` for ${String(message)}: ${reason}`,
    hint: 'Without `by` the second one comes right behind the first.',
  };
}

function notFor(fault: string): Readonly<Partial<Record<MessageKind, string>>> {
  return Object.hasOwn(NOT_FOR, fault) ? NOT_FOR[fault as keyof typeof NOT_FOR] : {};
}
