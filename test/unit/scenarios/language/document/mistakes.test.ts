import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  meantRate,
  meantSize,
  meantSpan,
} from '../../../../../scenarios/language/document/nearest-quantity.ts';
import { printProblem } from '../../../../../scenarios/language/document/problem.ts';
import { formatSpan, parseSpan } from '../../../../../scenarios/language/document/quantity.ts';
import { readScenario } from '../../../../../scenarios/language/document/read.ts';

const HEAD = 'name: try\nabout: A try.\nfleet:\n  - { count: 2, model: petrol-compact }\nsteps:\n';

/** The problems of these lines below `steps:`: place, message and hint. */
function saidOf(text: string): readonly string[] {
  const reading = readScenario(text, 'try.yaml');
  if (reading.ok) return [];
  for (const problem of reading.problems) {
    const printed = printProblem(problem, text);
    // The lines of a file that holds no scenario are not shown.
    if (/^(name|about|fleet|steps):/m.test(text)) expect(printed).toMatch(/\n +\t*\^/);
    else expect(printed).not.toContain('^');
  }
  return reading.problems.map(
    ({ line, column, message, hint }) => `${line}:${column} ${message} | ${hint ?? 'no hint'}`,
  );
}

const below = (steps: string): readonly string[] => saidOf(`${HEAD}${steps}\n`);

describe('a mistake is reported with its position and what to do about it:', () => {
  it.each<[string, string, RegExp]>([
    ['a unit of elsewhere', '  - { at: 5min, park: }', /^6:11 .* \| Did you mean 5m\?$/],
    ['a unit left out at the end', '  - { at: 1h30, park: }', /^6:11 .* \| Did you mean 1h30m\?$/],
    ['a span with a space', '  - { at: 90 s, park: }', /^6:11 .* \| Did you mean 90s\?$/],
    [
      'a rate of elsewhere',
      '  - { weather: { bandwidth: { up: 64kbps } } }',
      /^6:35 .*should be a rate.* \| Did you mean 64kbit\/s\?$/,
    ],
    [
      'a command as a step',
      '  - { unlock-central-lock: {} }',
      /^6:7 There is no "unlock-central-lock" in step 1 \(line 6\)\. \| It is a command: `call: \{ command: unlock-central-lock \}`\.$/,
    ],
    [
      'an act under a word of its own',
      '  - { act: drive }',
      /^6:7 There is no "act" in step 1 \(line 6\)\. \| An act is a word of the step: `drive: \.\.\.`\.$/,
    ],
    [
      'an act with settings under a word of its own',
      '  - { action: { drive: { route: city-loop } } }',
      /^6:7 .* \| An act is a word of the step: `drive: \.\.\.`\.$/,
    ],
    [
      'the last part of a problem type',
      '  - { call: { get: /vehicles }, expect: { problem: no-connection } }',
      /^6:52 .* \| Did you mean \/problems\/vehicle\/no-connection\?$/,
    ],
    [
      'a command as a call',
      '  - { call: unlock-central-lock }',
      /^6:13 .* \| A command is named so: `call: \{ command: unlock-central-lock \}`\.$/,
    ],
    [
      'a call as a step',
      '  - { bulk: {} }',
      /^6:7 .* \| It belongs to a call: `call: \{ bulk: \.\.\. \}`\.$/,
    ],
    ['weather as a step', '  - { stall: {} }', /^6:7 .* \| It is weather: `weather: \{ stall: \.\.\. \}`\.$/],
    ['a break as a step', '  - { brown-out: {} }', /^6:7 .* \| .*`break: \{ box: brown-out \}`\.$/],
    [
      'something expected as a step',
      '  - { journal: empty }',
      /^6:7 .* \| It is something to expect: `expect: \{ journal: \.\.\. \}`\.$/,
    ],
    [
      'a name that no vehicle has, where nothing would ever be found',
      '  - { never: { truth: { lockd: true } } }',
      /^6:25 The truth of a vehicle has nothing named lockd\. \| Did you mean locked\?$/,
    ],
    [
      'a name that no box has',
      '  - { expect: [{ connected: true }, { belief: { sesion: ready } }] }',
      /^6:49 What a box believes has nothing named sesion\. \| Did you mean session\?$/,
    ],
    [
      'a word that a property never is',
      '  - { never: { state: { central_lock: { one_of: [LOCKED, UNLOKED] } } } }',
      /^6:58 `state\.central_lock` is never "UNLOKED": it is LOCKED or UNLOCKED\. \| Did you mean UNLOCKED\?$/,
    ],
    [
      'a value of another kind',
      '  - { expect: { state: { speed_in_kph: fast } } }',
      /^6:40 `state\.speed_in_kph` is never "fast": it is a number from /,
    ],
    [
      'a part that an answer does not have',
      '  - { expect: { vehicle: { operation_status: { valu: GARAGE } } } }',
      /^6:48 `vehicle\.operation_status` has nothing named valu\. \| Did you mean value\?$/,
    ],
    [
      'a part that a message does not have',
      '  - { expect: { message: SmokeDetected, with: { body: { dta: {} } } } }',
      /^6:57 `with\.body` has nothing named dta\. \| Did you mean data\?$/,
    ],
    [
      'an expression that cannot be read',
      '  - { expect: { belief: { firmware: { like: "2.(" } } } }',
      /^6:\d+ Invalid regular expression: /,
    ],
    ['no space behind a colon', '  - { at:3s, park: }', /^6:7 .* \| A space follows the colon: `at: 3s`\.$/],
    [
      'a repetition without an end',
      '  - { park: , repeat: { every: 10s } }',
      /^6:23 It is not said how often\. Add `for`, .*`times`/,
    ],
    [
      'a repetition with two ends',
      '  - { park: , repeat: { every: 10s, for: 1m, times: 3 } }',
      /^6:46 `for` says how long, and `times` how often: one of them\./,
    ],
    [
      'more rounds than a run has room for',
      '  - { park: , repeat: { every: 1ms, for: 1m } }',
      /^6:42 These are 60000 rounds\. .* \| Make `every` longer/,
    ],
    [
      'rounds without a time between them',
      '  - { park: , repeat: { every: 0s, times: 2 } }',
      /^6:32 .*more than 0s/,
    ],
    [
      'a word of a repetition as one of the step',
      '  - { park: , every: 10s }',
      /^6:15 .*`repeat: \{ every: /,
    ],
    ['a trigger as a word of the step', '  - { park: , frame: reply }', /^6:15 .*`when: \{ frame: /],
    [
      'a point of some vehicle',
      '  - { park: , when: { point: after-commit, of: same } }',
      /^6:44 `of` says whose .* a `point` is of no vehicle\./,
    ],
    [
      'two triggers in one',
      '  - { park: , when: { frame: reply, session: ready } }',
      /^6:21 .*only one of frame, session/,
    ],
    [
      'a value that no step before remembers',
      '  - { call: { get: /vehicles, remember: { page: body.next } } }\n  - { call: { get: "/vehicles?cursor={pge}" } }',
      /^7:\d+ No step before this one remembers \{pge\}\. \| Did you mean page\?$/,
    ],
    [
      'a value with the name of another one',
      '  - { call: { get: /vehicles, remember: { vehicle: body.id } } }',
      /^6:43 \{vehicle\} is taken by the vehicle\./,
    ],
    [
      'no part of an answer',
      '  - { call: { get: /vehicles, remember: { page: next } } }',
      /^6:49 .*a part of the answer: status, headers\.etag, body/,
    ],
    [
      'a queue to which such a message never comes',
      '  - { never: { message: SmokeDetected, with: { queue: SmokeDetected_v1-onw } } }',
      /^6:55 There is no queue for SmokeDetected named "SmokeDetected_v1-onw"\. \| Did you mean SmokeDetected_v1-own\?$/,
    ],
    [
      'a place that is half a circle',
      '  - { weather: stall, in: { around: [52.5, 13.4] } }',
      /^6:27 A place is a circle, with `around` and `radius_m`, or a `polygon`\./,
    ],
    [
      'a place of no weather',
      '  - { park: , in: { polygon: [[1, 1], [1, 2], [2, 1]] } }',
      /^6:15 .*no `weather`/,
    ],
    [
      'a place of weather that is over at once',
      '  - { weather: cut, in: { around: [52.5, 13.4], radius_m: 9 } }',
      /^6:\d+ This weather ends at once.* \| Leave `in` out/,
    ],
    [
      'a longitude that there is not',
      '  - { weather: stall, in: { around: [13.4, 525], radius_m: 9 } }',
      /^6:44 /,
    ],
    [
      'a label that no step has',
      '  - { after: one, park: }',
      /^6:14 There is no step .* "one"\. \| No such step has a label\. Give it one: `label: one`\.$/,
    ],
    [
      'a token that no step keeps',
      '  - { call: { get: /vehicles, bearer: early } }',
      /^6:39 There is no token .* "early"\. \| .*One does so: `call: \{ token: early \}`\.$/,
    ],
    [
      'a kind of fault of which a message is to be, where no step has a label',
      '  - { never: { message: VehicleStateReceived, with: { occurred_during: wether } } }',
      /^6:72 There is no step with the label "wether"\. \| Did you mean weather\?$/,
    ],
    [
      'a message to which the fault cannot happen',
      '  - { weather: { reorder: { message: amqp-confirm } } }',
      /^6:38 reorder takes no amqp-confirm: a confirm names its message, so the order of confirms has no meaning\. \| What befalls amqp-confirm: lose, delay\. What reorder takes: puback, .*, box-puback\.$/,
    ],
    [
      'another one',
      '  - { weather: { delay: { message: amqp-publish, by: 3s } } }',
      /^6:36 delay takes no amqp-publish: on an AMQP channel messages arrive in the order .* \| What befalls amqp-publish: lose, double\. /,
    ],
    [
      'a message whose second copy cannot be late',
      '  - { weather: { double: { message: box-puback, by: 3s } } }',
      /^6:\d+ double takes no `by` for box-puback: by then its packet identifier may be .* received\. \| Without `by` .*\.$/,
    ],
    [
      'a place given as a time',
      '  - { weather: { coverage: none }, within: { around: [52.52, 13.40], radius_m: 400 } }',
      /^6:44 step 1 \(line 6\) within is a time span, and this is a place\. \| A place is given with `in`: `in: \{ around: \.\.\., radius_m: \.\.\. \}`\.$/,
    ],
    [
      'a place given as a choice of vehicles',
      '  - { weather: stall, on: { polygon: [] } }',
      /^6:29 There is no "polygon" in step 1 \(line 6\) on\. \| It belongs to a place: `in: \{ polygon: \.\.\. \}`\.$/,
    ],
    [
      'a journal that is neither empty nor so many records',
      '  - { never: { journal: full } }',
      /^6:25 step 1 \(line 6\) never\.journal should be empty, or one of above, below, at_least and at_most with a number of records, as \{ above: 3 \}; found the text "full"\. \| no hint$/,
    ],
    [
      'a journal with a comparison that is written wrong',
      '  - { never: { journal: { abov: 3 } } }',
      /^6:27 There is no "abov" in step 1 \(line 6\) never\.journal\. \| Did you mean above\?$/,
    ],
    [
      'a word of a repetition that is written wrong',
      '  - { park: , repeat: { evry: 10s, times: 3 } }',
      /^6:25 There is no "evry" in step 1 \(line 6\) repeat\. \| Did you mean every\?$/,
    ],
    [
      'a setting of a break that is written wrong',
      '  - { break: { box: { reset: { reson: WATCHDOG } } } }',
      /^6:32 There is no "reson" in step 1 \(line 6\) break\.box\.reset\. \| Did you mean reason\?$/,
    ],
    [
      'a fault of which a message is to be, by a label that no step has',
      '  - { label: tunnel, park: }\n  - { expect: { message: VehicleStateReceived, with: { occurred_during: tunel } } }',
      /^7:73 .*"tunel"\. \| Did you mean tunnel\?$/,
    ],
    ['one name twice', '  - { at: 3s, at: 4s, park: }', /^6:15 at appears twice.* \| Leave one/],
    ['a tab', '\t- { park: }', /^6:1 This line begins with a tab.* \| Write two spaces/],
    ['a tab in the midst', '  - at: 3s\n\tpark:', /^7:1 This line begins with a tab.* \| Write two spaces/],
    [
      'a bracket left open',
      '  - { park:\n  - { park: }',
      /^6:5 The \{ that begins here has no \}\. \| Write \}/,
    ],
    [
      'a bracket left open around others',
      '  - { at: 1s, weather: { coverage: none }, for: 3s\n  - { park: }',
      /^6:5 The \{ that begins here has no \}\./,
    ],
    [
      'a bracket left open within another',
      '  - { expect: [{ connected: true }, { connected: false }, for: 3s }\n  - { park: }',
      /^6:15 The \[ that begins here has no \]\./,
    ],
    [
      'a quote left open',
      '  - { at: "3s, park: }\n',
      /^6:11 The text that begins here.* \| Write a " behind it\.$/,
    ],
    ['a line that stands nowhere', '  - at: 3s\n    park:\n   drive:', /^7:\d+ .* \| Look whether/],
    [
      'a second document',
      '  - { park: }\n---\nname: two',
      /^7:1 A second document.* \| Write each to its own file; /,
    ],
    [
      'a path of vary that leads nowhere',
      '  - { park: }\nvary:\n  steps[0].for: 1s..2s',
      /^8:3 steps\[0\] has no for: there are park\. \| Only what the file says can be varied/,
    ],
    [
      'recorded link and file at once',
      '  - { weather: { trace: { link: train, file: a.mahi } } }',
      /^6:\d+ .*either link, which is built in, or file/,
    ],
    [
      'a break that needs a setting, without one',
      '  - { break: { box: reset } }',
      /^6:21 step 1 \(line 6\) break\.box: reset is incomplete, it needs reason: one of GENERAL, .* \| Write `box: \{ reset: \{ reason: \.\.\. \} \}`\.$/,
    ],
    [
      'the same with no setting in its map',
      '  - { break: { box: { reset: {} } } }',
      /^6:\d+ step 1 \(line 6\) break\.box\.reset needs reason: one of GENERAL, .*POWER_DOWN_MODE\. \| /,
    ],
    [
      'weather that needs a setting, without one',
      '  - { weather: latency }',
      /^6:\d+ step 1 \(line 6\) weather: latency is incomplete, it needs base: a span .* \| Write `weather: /,
    ],
    ['nothing to expect', '  - { park: , expect: [] }', /^6:\d+ .* should be at least 1 item; /],
  ])('%s', (_what, steps, said) => {
    expect(below(steps)[0]).toMatch(said);
  });

  it.each(['', '# a comment alone\n', '---\n', 'a text\n', '- a\n- list\n'])('a file with %j', (text) => {
    expect(saidOf(text)).toEqual([
      expect.stringMatching(/^1:\d+ The scenario should be a map.* \| A scenario begins with `name: /),
    ]);
  });

  it('is said once where a word that is needed is written wrong, and twice where another one stands', () => {
    expect(below('  - { park: , repeat: { evry: 10s, times: 3 } }')).toHaveLength(1);
    expect(below('  - { park: , repeat: { colour: red, times: 3 } }')).toHaveLength(2);
  });

  it('is reported once per position', () => {
    expect(below('  - { weather: { bandwidth: { up: fast } }, for: long }')).toHaveLength(2);
    expect(below('  - { at: "3s, park: }')).toHaveLength(1);
  });

  it.each([
    [
      'an open bracket',
      '  - { at: 1s, park: {} \n  - at: 2s\n    drive: { route: city-loop }',
      'The { that begins here',
    ],
    [
      'a line of another column',
      '  - at: 1s\n   park: {}\n  - at: 3s\n    drive: {}',
      'This line is neither an item',
    ],
    ['tabs in several lines', '\t- at: 1s\n\t  park: {}', 'This line begins with a tab'],
    [
      'a name over several lines',
      'here is a text\nand more: of it: all',
      'The name that begins here goes on',
    ],
  ])('is reported once, without what follows from %s', (_what, steps, said) => {
    expect(below(steps)).toEqual([expect.stringContaining(said)]);
  });

  it('is reported in each line that has a second name by itself', () => {
    expect(below('  - at: 1s: park: {}\n  - at: 2s: drive: {}')).toEqual([
      expect.stringMatching(
        /^6:9 A second name with a value follows in this line\. \| Write each in its own line/,
      ),
      expect.stringMatching(/^7:9 A second name/),
    ]);
  });
});

describe('the suggestion for a quantity', () => {
  it('is a duration for any names of units, and the same one with spaces in between', () => {
    expect(
      ['5 min', '2 hours', '1.5h', '1h 30', '100 msec', '1 day', '-2 hrs', '0.5m'].map(meantSpan),
    ).toEqual(['5m', '2h', '1h30m', '1h30m', '100ms', '1d', '-2h', '30s']);
    expect(['', 'soon', '5 parsecs', '7', '1s of 2'].map(meantSpan)).toEqual(Array(5).fill(undefined));
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (ms) => {
        const spaced = formatSpan(ms).replaceAll(/([a-z])(?=\d)/g, '$1 ');
        expect(parseSpan(meantSpan(spaced) ?? '')).toBe(ms);
      }),
    );
  });

  it('is never an invalid duration', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-0-9 .a-z]{0,12}$/)), (text) => {
        const meant = meantSpan(text);
        if (meant !== undefined) expect(parseSpan(meant.replace(/^-/, ''))).toBeDefined();
      }),
    );
  });

  it('is a size or a rate for any names of units', () => {
    expect(['20 KB', '2MiB', '500 bytes', '1gb', 'much'].map(meantSize)).toEqual([
      '20kB',
      '2MB',
      '500B',
      '1000MB',
      undefined,
    ]);
    expect(['64kbps', '2 Mbit', '9600 bps', '9600', 'fast'].map(meantRate)).toEqual([
      '64kbit/s',
      '2Mbit/s',
      '9600bit/s',
      '9600bit/s',
      undefined,
    ]);
  });
});
