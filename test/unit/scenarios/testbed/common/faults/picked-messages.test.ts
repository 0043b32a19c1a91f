import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payloadOf } from '../../../../../../protocol/codec/frame.ts';
import { MESSAGE_KINDS } from '../../../../../../protocol/message-kinds.ts';
import { MESSAGES, type MessageKind, WEATHER } from '../../../../../../scenarios/language/steps/weather.ts';
import { anyFrameOf } from '../../../../../support/frames/any-frame.ts';
import { liveFaultStage } from '../../../../../support/simulator/live-fault-stage.ts';

/** What docs/scenarios.md says of each message that is one of a box's frames, and in which direction it goes. */
const PICKED: Readonly<
  Partial<Record<MessageKind, { readonly way: 'up' | 'down'; readonly kinds: string }>>
> = {
  receipt: { way: 'down', kinds: 'receipt' },
  'command-request': { way: 'down', kinds: 'command configuration' },
  'command-reply': { way: 'up', kinds: 'reply' },
  record: { way: 'up', kinds: 'report heartbeat event access tombstone' },
  hello: { way: 'up', kinds: 'hello ready' },
  birth: { way: 'up', kinds: 'birth' },
};
const OF_THE_LINK = (Object.keys(MESSAGES) as MessageKind[]).filter((name) => !name.startsWith('amqp-'));
const WORDS = [
  { word: 'lose', more: {} },
  { word: 'delay', more: { by: '1s' } },
  { word: 'double', more: {} },
  { word: 'double', more: { by: '1s' } },
] as const;
const WAYS = WORDS.flatMap(({ word, more }) =>
  OF_THE_LINK.filter((message) => WEATHER[word].settings.safeParse({ message, ...more }).success).map(
    (message) => ({ word, more, message }),
  ),
);

test('a message fault has an effect on the frames of its kind in their direction, and on no others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...WAYS),
      fc.constantFrom(...MESSAGE_KINDS).chain(({ name }) => anyFrameOf(1, name)),
      fc.constantFrom('up', 'down'),
      async ({ word, more, message }, frame, direction) => {
        const { faults, first, parts } = liveFaultStage();
        const { boxId } = first.plan;
        await faults.begin([boxId], { weather: { [word]: { message, ...more } } });
        const passing = { direction, kind: 'PUBLISH', topic: '', payload: payloadOf([frame]) } as const;
        const [fault] = parts.networkFaults.packetFaultsOf(boxId);
        const picked = PICKED[message];
        const isSuch = picked?.way === direction && picked.kinds.split(' ').includes(frame.message.kind);
        expect(fault?.matches(passing)).toBe(isSuch);
        if (word === 'double')
          expect(fault?.act).toEqual('by' in more ? { kind: 'double', byMs: 1_000 } : { kind: 'double' });
        expect(await faults.inForce()).toMatchObject([
          { struck: isSuch ? 'yes' : 'no', times: isSuch ? 1 : 0 },
        ]);
        const ended = await faults.lift('1');
        expect(ended?.missed).toBe(isSuch ? undefined : `no ${message} came while it lasted`);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['puback', 'down'],
  ['box-puback', 'up'],
])('a %s is a PUBACK that goes %s', async (message, way) => {
  const { faults, first, parts } = liveFaultStage();
  await faults.begin([first.plan.boxId], { weather: { lose: { message } } });
  const [fault] = parts.networkFaults.packetFaultsOf(first.plan.boxId);
  const puback = { kind: 'PUBACK', topic: '', payload: new Uint8Array() } as const;
  expect((['up', 'down'] as const).filter((direction) => fault?.matches({ ...puback, direction }))).toEqual([
    way,
  ]);
});
