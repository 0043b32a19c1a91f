import { describe, expect, test } from 'vitest';
import { MESSAGE_KINDS } from '../../../../../protocol/message-kinds.ts';
import { withForms } from '../../../../../scenarios/explore/workload/step-forms.ts';
import { readDocument } from '../../../../../scenarios/language/document/read.ts';
import { MESSAGES, WEATHER } from '../../../../../scenarios/language/steps/weather.ts';
import { generateDocument } from '../../../../../scenarios/language/vary/generate.ts';
import { seededRandom } from '../../../../../world/random/seeded-random.ts';

/** What a box receives has arrived: the frame, and the message that it is. */
const ARRIVED: Readonly<Record<string, string>> = {
  receipt: 'receipt',
  command: 'command-request',
  configuration: 'command-request',
};
const WORDS = {
  lose: {},
  delay: { by: '1s' },
  double: {},
  reorder: {},
} as const;

interface Given {
  readonly word: keyof typeof WORDS;
  readonly message: string;
  readonly frame: string;
  readonly of?: string;
  readonly delay?: string;
}

/** What is wrong with a step in which a message fault begins with a frame. */
function saidOf({ word, message, frame, of, delay }: Given): readonly string[] {
  const step = {
    at: '1s',
    when: { frame, ...(of === undefined ? {} : { of }) },
    weather: { [word]: { message, ...WORDS[word] } },
    ...(delay === undefined ? {} : { delay }),
  };
  const read = readDocument({ name: 'a', about: 'A.', fleet: [{ count: 1 }], steps: [step] });
  return read.ok
    ? []
    : read.faults.map((one) => `${one.place.join('.')} ${one.message} ${'hint' in one ? one.hint : ''}`);
}

const COMBINATIONS = (Object.keys(WORDS) as (keyof typeof WORDS)[]).flatMap((word) =>
  Object.keys(MESSAGES)
    .filter((message) => WEATHER[word].settings.safeParse({ message, ...WORDS[word] }).success)
    .flatMap((message) => MESSAGE_KINDS.map(({ name: frame }): Given => ({ word, message, frame }))),
);

describe('a message fault that begins with a frame', () => {
  test('is refused where the frame is one that it would pick and that has arrived by then, and nowhere else', () => {
    for (const given of COMBINATIONS) {
      const { frame, message } = given;
      const said = saidOf(given);
      if (ARRIVED[frame] !== message) expect(said, JSON.stringify(given)).toEqual([]);
      else
        expect(said).toEqual([
          `steps.0.when.frame A \`${frame}\` has arrived once the box receives it: what begins with it cannot meet this ${message}, and would wait for another one. Leave \`when\` out: the next ${message} is met as soon as the step begins. If one after this is meant, add a \`delay\`.`,
        ]);
    }
    expect(COMBINATIONS.length).toBeGreaterThan(500);
  });

  test('is not refused where a later one is meant, or the frame may be of another box', () => {
    for (const given of COMBINATIONS) {
      expect(saidOf({ ...given, delay: '1ms' })).toEqual([]);
      expect(saidOf({ ...given, of: 'any' })).toEqual([]);
    }
  });
});

describe('whoever draws scenarios draws none that is refused for it', () => {
  const FAULTS = {
    acts: [],
    calls: [],
    breaks: {},
    expectations: [],
    weather: Object.keys(WORDS),
    mostSteps: 12,
    mostVehicles: 2,
    longestMs: 60_000,
    isTriggered: true as const,
  };

  test('the generator', () => {
    for (let seed = 1; seed <= 300; seed += 1)
      expect(
        readDocument(generateDocument(seededRandom(seed).stream('scenario'), 'drawn', FAULTS)),
      ).toMatchObject({
        ok: true,
      });
  });

  test('the forms of the swarm', () => {
    const lost = { at: '1s', weather: { lose: { message: 'command-request' } }, for: '1m' };
    for (let seed = 1; seed <= 30; seed += 1) {
      const steps = withForms(
        seededRandom(seed).stream('forms'),
        Array.from({ length: 100 }, () => lost),
      );
      const document = { name: 'a', about: 'A.', fleet: [{ count: 1 }], steps };
      expect(readDocument(document)).toMatchObject({ ok: true });
    }
  });
});
