import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeDbc, readDbc } from '../../../../protocol/dbc/read-dbc.ts';
import { dbcLimits } from '../../../../protocol/limits.ts';
import { smallVanDbc } from '../../../support/models/small-van.ts';

/** The one signal of a file with this line. */
function signalOf(line: string, after = '') {
  const { database, problems } = readDbc(`BO_ 100 Frame: 8 Node\n ${line}\n${after}`);
  expect(problems).toEqual([]);
  return database.messages[0]?.signals[0];
}

const PLAIN = 'SG_ Value : 0|8@1+ (1,0) [0|0] "" Other';

describe('a DBC file as tools write it', () => {
  const { database, problems } = readDbc(smallVanDbc());

  test('is read without a problem', () => {
    expect(problems).toEqual([]);
    expect(database.version).toBe('1.2');
    expect(database.nodes).toEqual(['Engine', 'Body', 'Cluster', 'Gateway']);
    expect(database.messages.map(({ name }) => name)).toEqual([
      ...['Drive', 'BodyStates', 'Odo', 'Supply', 'Maintenance', 'Pages', 'Cabin', 'Statistics'],
    ]);
  });

  test('has messages with identifiers of 11 and of 29 bits', () => {
    const found = database.messages.map(({ id, isExtended, bytes }) => [id, isExtended, bytes]);
    expect(found[0]).toEqual([0x1a0, false, 8]);
    expect(found[2]).toEqual([0x18fec1ee, true, 8]);
  });

  test('has signals of both byte orders, with sign, scaling, values and comments', () => {
    const drive = database.messages[0];
    expect(drive?.comment).toBe('Twenty times a second.');
    expect(drive?.signals[0]).toMatchObject({
      name: 'VehicleSpeed',
      startBit: 7,
      bits: 16,
      order: 'big',
      isSigned: false,
      factor: 0.01,
      offset: 0,
      minimum: 0,
      maximum: 300,
      unit: 'km/h',
      line: 39,
      comment: 'Of the driven axle; "speedometer".',
    });
    expect(drive?.signals[2]).toMatchObject({ isSigned: true, order: 'little', offset: 50, minimum: -77 });
    expect([...(drive?.signals[2]?.values ?? [])]).toEqual([[-128, 'SNA']]);
    expect(drive?.signals[3]?.values.get(3)).toBe('D');
  });

  test('tells which signals are multiplexed, and which are floating-point numbers', () => {
    const [pages, cabin] = database.messages.slice(5);
    expect(pages?.signals.map(({ multiplexing }) => multiplexing)).toEqual([
      { selects: true },
      { selects: false, under: [[1, 1]] },
      { selects: false, under: [[2, 2]] },
    ]);
    expect(cabin?.signals[0]?.isFloat).toBe(true);
  });
});

describe('a signal', () => {
  test.each([
    ['SG_ A:0|8@1+(1e-05,-40)[-40|1.5E3]"%"Node', { factor: 1e-5, offset: -40, minimum: -40, maximum: 1500 }],
    [
      'SG_ A m12M : 0|8@1+ (+1,+.5) [0|0] "" Node',
      { multiplexing: { selects: true, under: [[12, 12]] }, offset: 0.5 },
    ],
    ['SG_ A m : 0|8@1+ (1,0) [0|0] "" Node', { multiplexing: { selects: false, under: [] } }],
    ['SG_ A : 0|8@1- (-1,0) [0|0] "a;b" Node, Other', { factor: -1, unit: 'a;b', isSigned: true }],
  ])('is read from %s', (line, expected) => {
    expect(signalOf(line)).toMatchObject(expected);
  });

  test('has the ranges of its selector from SG_MUL_VAL_', () => {
    const signal = signalOf('SG_ A m0 : 0|8@1+ (1,0) [0|0] "" Node', 'SG_MUL_VAL_ 100 A Page 0-0, 3-5;');
    expect(signal?.multiplexing).toEqual({
      selects: false,
      under: [
        [0, 0],
        [3, 5],
      ],
    });
  });
});

describe('what is wrong in a file is told with its place, and the rest is read', () => {
  test.each([
    ['BO_ 100 Frame 8 Node', 1, 15, 'Message Frame: : is expected, not 8.'],
    ['BO_ 100 Frame: 80 Node', 1, 16, 'Message Frame: 80 bytes are more than a frame can have.'],
    [
      'BO_ 1073741824 Frame: 8 Node',
      1,
      5,
      'Message Frame: 1073741824 is no identifier of 11 bits, nor of 29 bits.',
    ],
    [
      'BO_ 5000 Frame: 8 Node',
      1,
      5,
      'Message Frame: 5000 has more than 11 bits and is not marked, and is taken as one of 29 bits.',
    ],
    [`BO_ 1 A: 8 N\nBO_ 1 B: 8 N\n ${PLAIN}`, 2, 5, 'Message B: there is already a message 1.'],
    [PLAIN, 1, 5, 'Signal Value comes before any message.'],
    [`BO_ 1 A: 8 N\n ${PLAIN}\n ${PLAIN}`, 3, 6, 'Message A already has a signal Value.'],
    ['BO_ 1 A: 1 N\n SG_ B : 4|8@1+ (1,0) [0|0] "" N', 2, 10, 'Signal B extends beyond the 1 bytes of A.'],
    ['BO_ 1 A: 8 N\n SG_ B : 0|65@1+ (1,0) [0|0] "" N', 2, 12, 'Signal B has 65 bits; 1 to 64 are possible.'],
    [
      'BO_ 1 A: 8 N\n SG_ B : 0|8@1+ (0,0) [0|0] "" N',
      2,
      18,
      'Signal B: a factor is finite and not 0, and an offset is finite.',
    ],
    [
      'BO_ 1 A: 8 N\n SG_ B x1 : 0|8@1+ (1,0) [0|0] "" N',
      2,
      8,
      'Signal B: x1 is no multiplexing; it would be M, m0 or m0M.',
    ],
    ['BO_ 1 A: 8 N\n SG_ B : 0|8@1+ (1,0) [0|0] km N', 2, 29, 'The unit of signal B is expected, not km.'],
    [
      `BO_ 1 A: 8 N\n ${PLAIN}\nVAL_ 1 Valeu 0 "no" ;`,
      3,
      8,
      'Message 1 has no signal Valeu that these values could be of.',
    ],
    ['CM_ BO_ 1 "open;', 3, 33, 'A comment: ; is expected, not a text without its closing quote.'],
    ['Hello, is this a DBC file?', 1, 1, 'A statement is expected, not Hello.'],
  ])('%s', (text, line, column, message) => {
    const { database, problems } = readDbc(
      `${text}\nBO_ 99 Last: 8 Node\n SG_ Last : 0|8@1+ (1,0) [0|0] "" N\n`,
    );
    expect(problems).toEqual([{ line, column, message }]);
    // A text without its end takes all that follows.
    if (!text.includes('open')) expect(database.messages.at(-1)?.signals[0]?.name).toBe('Last');
  });

  test('no more than a bound is told, and the rest is counted', () => {
    const { problems, moreProblems } = readDbc('SG_ A :\n'.repeat(dbcLimits.problems + 7));
    expect([problems.length, moreProblems]).toEqual([dbcLimits.problems, 7]);
  });
});

describe('the text of a file', () => {
  const signal = 'SG_ A : 0|8@1+ (1,0) [0|0] "°C" N';
  test.each([
    ['UTF-8', Buffer.from(signal, 'utf8')],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${signal}`, 'utf8')],
    ['the code page of Western Windows', Buffer.from(signal, 'latin1')],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${signal}`, 'utf16le')],
    ['UTF-16 with a mark, the high byte first', Buffer.from(`\uFEFF${signal}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(signal, 'utf16le')],
  ])('is decoded from %s', (_, bytes) => {
    expect(decodeDbc(bytes)).toBe(signal);
  });
});

describe('a quote behind a backslash', () => {
  const SIGNALS = [
    'BO_ 100 F: 8 N',
    ' SG_ Ignition : 16|2@1+ (1,0) [0|3] "" A',
    ' SG_ FuelLevel : 24|8@1+ (1,0) [0|100] "%" A',
    '',
  ].join('\n');
  const LABELS = 'VAL_ 100 Ignition 0 "Off" 1 "On" ;\n';
  const BEHIND = [
    [0, 'Off'],
    [1, 'On'],
  ];

  /** The comment of FuelLevel, with the labels of Ignition, which a statement behind it gives. */
  function commentOf(statement: string) {
    const { database, problems } = readDbc(SIGNALS + statement);
    const [ignition, fuel] = database.messages[0]?.signals ?? [];
    expect([problems, [...(ignition?.values ?? [])]]).toEqual([[], BEHIND]);
    return fuel?.comment;
  }

  test.each([
    [
      'ends a comment before a statement in the next line',
      `CM_ SG_ 100 FuelLevel "C:\\";\n${LABELS}`,
      'C:\\',
    ],
    ['ends a comment before a statement in its line', `CM_ SG_ 100 FuelLevel "C:\\"; ${LABELS}`, 'C:\\'],
    ['ends a comment before a remark', `CM_ SG_ 100 FuelLevel "C:\\"; // disk\n${LABELS}`, 'C:\\'],
    ['ends the last comment of a file', `${LABELS}CM_ SG_ 100 FuelLevel "C:\\" ;`, 'C:\\'],
    ['belongs to a comment', `CM_ SG_ 100 FuelLevel "say \\"hi\\" now";\n${LABELS}`, 'say "hi" now'],
    [
      'belongs to a comment that goes on in the next line',
      `CM_ SG_ 100 FuelLevel "say \\"hi\\";\nnext line";\n${LABELS}`,
      'say "hi";\nnext line',
    ],
    ['belongs to a comment at its end', `CM_ SG_ 100 FuelLevel "say \\"hi\\"";\n${LABELS}`, 'say "hi"'],
    ['ends a value of an ENUM', `BA_DEF_ BO_ "E" ENUM "a\\","b\\","c";\n${LABELS}`, ''],
  ])('%s', (_, statement, comment) => {
    expect(commentOf(statement)).toBe(comment);
  });

  test('ends a text that no other quote would end before the next statement', () => {
    const { database } = readDbc(`VERSION "C:\\" beyond\n${SIGNALS}${LABELS}`);
    expect(database.messages[0]?.signals.map(({ name }) => name)).toEqual(['Ignition', 'FuelLevel']);
  });

  test('ends every text that has backslashes and no quotes, wherever it stands', () => {
    const text = fc
      .array(fc.constantFrom('\\', '\\', 'a', ' ', '1', ';', ',', ':', 'VAL_', '°'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.tuple(text, text, text, text, text), ([version, unit, first, second, comment]) => {
        const { database, problems } = readDbc(
          [
            `VERSION "${version}"`,
            'BO_ 100 F: 8 N',
            ` SG_ One : 0|8@1+ (1,0) [0|3] "${unit}" A,B`,
            ` SG_ Two : 8|8@1+ (1,0) [0|3] "${unit}" A`,
            `CM_ "${comment}"; CM_ BO_ 100 "${comment}";`,
            `BA_DEF_ BO_ "E" ENUM "${first}","${second}";`,
            `VAL_ 100 One 0 "${first}" 1 "${second}" ;`,
            `CM_ SG_ 100 Two "${comment}" ;`,
          ].join('\n'),
        );
        expect(problems).toEqual([]);
        const [message] = database.messages;
        expect(database.version).toBe(version);
        expect(message?.comment).toBe(comment);
        expect(message?.signals.map((signal) => [signal.unit, [...signal.values], signal.comment])).toEqual([
          [
            unit,
            [
              [0, first],
              [1, second],
            ],
            '',
          ],
          [unit, [], comment],
        ]);
      }),
    );
  });

  test('takes no time that grows with the square of the text', () => {
    for (const part of ['\\"', '\\" ;', '\\" 1 ', '\\";//', '\\"\n', '\\";\nCM_ "']) {
      const text = `CM_ "${part.repeat(100_000)}`;
      expect(readDbc(text).database.messages).toEqual([]);
    }
  });
});
