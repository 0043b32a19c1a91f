import fc from 'fast-check';

/** A signal as a file will have it; texts have neither quotes nor backslashes. */
export interface DrawnSignal {
  readonly name: string;
  readonly page: string;
  readonly startBit: number;
  readonly bits: number;
  readonly isBig: boolean;
  readonly isSigned: boolean;
  readonly scale: string;
  readonly span: string;
  readonly unit: string;
  readonly receivers: string;
  readonly valueType: number | undefined;
  readonly ranges: string | undefined;
  readonly comment: string | undefined;
  readonly longName: string | undefined;
  readonly values: readonly (readonly [raw: number, label: string])[];
}

export interface DrawnMessage {
  readonly number: number;
  readonly name: string;
  readonly bytes: number;
  readonly comment: string | undefined;
  readonly longName: string | undefined;
  readonly signals: readonly DrawnSignal[];
}

const anyText = fc
  .array(
    fc.constantFrom(
      ...[
        'km/h',
        '°C',
        'Ω',
        ' ',
        ';',
        ':',
        ',',
        '|',
        '@1+',
        '//',
        'BO_ 1 A: 8 N',
        'SG_',
        '\n',
        '\nCM_ ',
        'x',
        '%',
      ],
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));
const anyLabel = anyText.map((text) => text.replaceAll('\n', ' '));
const anyName = fc
  .array(fc.constantFrom('Speed', 'A', 'x_1', 'SG_', '_', 'Value0'), { minLength: 1, maxLength: 4 })
  .map((parts) => `N${parts.join('')}`);
const anyScale = fc.constantFrom(
  '1,0',
  '0.01,-40',
  '-1,0',
  '1E-05,0',
  '2.5e+2,1e3',
  '+1,+.5',
  '.1,-0',
  '1000,-1000.25',
);
const anySpan = fc.constantFrom('0|0', '-40|215', '0|1.5E3', '-1e9|+1e9', '0|0.5');
const anyPage = fc.constantFrom('', '', '', 'M', 'm0', 'm3', 'm12M', 'm255', 'm', 'mM');
const anyRanges = fc
  .array(fc.tuple(fc.nat(20), fc.nat(300)), { minLength: 1, maxLength: 3 })
  .map((pairs) => pairs.map(([from, more]) => `${from}-${from + more}`).join(', '));
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const anySignal: fc.Arbitrary<DrawnSignal> = fc.record({
  name: anyName,
  page: anyPage,
  startBit: fc.oneof(fc.nat(63), fc.nat(511)),
  bits: fc.integer({ min: 1, max: 64 }),
  isBig: fc.boolean(),
  isSigned: fc.boolean(),
  scale: anyScale,
  span: anySpan,
  unit: anyLabel,
  receivers: fc.constantFrom('Vector__XXX', 'A,B', 'A, B', 'A  ,B'),
  valueType: optional(fc.constantFrom(0, 1, 2, 3)),
  ranges: optional(anyRanges),
  comment: optional(anyText),
  longName: optional(fc.constantFrom('A_long_name_of_more_than_32_characters', 'VehicleSpeed')),
  values: fc.uniqueArray(fc.tuple(fc.integer({ min: -128, max: 70_000 }), anyLabel), {
    maxLength: 4,
    selector: ([raw]) => raw,
  }),
});

const anyNumber = fc.oneof(
  fc.nat(0x7ff),
  fc.integer({ min: 0, max: 0x1fff_ffff }).map((id) => id + 0x8000_0000),
  // Not marked as one of 29 bits.
  { weight: 1, arbitrary: fc.integer({ min: 0x800, max: 0x1fff_ffff }) },
);

/** Any sound database, with what tools write besides messages and signals in `dressing`. */
export const anyDatabase: fc.Arbitrary<readonly DrawnMessage[]> = fc.uniqueArray(
  fc.record({
    number: anyNumber,
    name: anyName,
    bytes: fc.constantFrom(0, 1, 2, 7, 8, 8, 8, 12, 64),
    comment: optional(anyText),
    longName: optional(fc.constant('A_long_name_of_a_message_with_a_signal')),
    signals: fc.uniqueArray(anySignal, { maxLength: 5, selector: ({ name }) => name }),
  }),
  { maxLength: 4, selector: ({ number }) => number },
);

/** How a file is written: its line ends, and the order of the statements behind the messages. */
export const anyForm = fc.record({
  end: fc.constantFrom('\n', '\r\n'),
  isReversed: fc.boolean(),
  isDressed: fc.boolean(),
  hasColon: fc.boolean(),
});

export type DrawnForm = typeof anyForm extends fc.Arbitrary<infer Form> ? Form : never;

const DRESSING = [
  'VERSION "1.0"',
  '',
  'NS_ :',
  '\tNS_DESC_',
  '\tCM_',
  '\tBA_DEF_',
  '\tSIG_VALTYPE_',
  '\tSG_MUL_VAL_',
  '',
  'BS_:',
  '',
  'BU_: A B Vector__XXX',
  'VAL_TABLE_ Gears 3 "D" 2 "N" 1 "R" 0 "P" ;',
  '',
];
const ATTRIBUTES = [
  'EV_ Mode: 0 [0|3] "" 0 7 DUMMY_NODE_VECTOR0 Vector__XXX;',
  'VAL_ Mode 1 "on" 0 "off" ;',
  'CM_ "Of the file.";',
  'CM_ BU_ A "Of a node: SG_ 1 Speed";',
  'CM_ EV_ Mode "Of a variable.";',
  'BA_DEF_ SG_  "SystemSignalLongSymbol" STRING ;',
  'BA_DEF_ BO_  "GenMsgCycleTime" INT 0 65535;',
  'BA_DEF_DEF_  "GenMsgCycleTime" 100;',
  'BA_ "BusType" "CAN";',
];

/** The head of a signal in the file. */
export function signalText(one: DrawnSignal): string {
  const page = one.page === '' ? '' : `${one.page} `;
  return ` SG_ ${one.name} ${page}: ${one.startBit}|${one.bits}@${one.isBig ? 0 : 1}${one.isSigned ? '-' : '+'} (${one.scale}) [${one.span}] "${one.unit}" ${one.receivers}`;
}

/** The text of a database. */
export function databaseText(messages: readonly DrawnMessage[], form: DrawnForm): string {
  const heads = messages.flatMap(({ number, name, bytes, signals }) => [
    `BO_ ${number} ${name}: ${bytes} A`,
    ...signals.map(signalText),
    '',
  ]);
  const tails = messages.flatMap((message) => [
    ...(message.comment === undefined ? [] : [`CM_ BO_ ${message.number} "${message.comment}";`]),
    ...(message.longName === undefined
      ? []
      : [`BA_ "SystemMessageLongSymbol" BO_ ${message.number} "${message.longName}";`]),
    ...message.signals.flatMap((signal) => tailsOf(message.number, signal, form.hasColon)),
  ]);
  const rest = form.isReversed ? tails.reverse() : tails;
  const lines = form.isDressed ? [...DRESSING, ...heads, ...ATTRIBUTES, ...rest] : [...heads, ...rest];
  return lines.join('\n').replaceAll('\n', form.end);
}

function tailsOf(number: number, signal: DrawnSignal, hasColon: boolean): readonly string[] {
  const { name, comment, longName, ranges, values, valueType } = signal;
  return [
    ...(comment === undefined ? [] : [`CM_ SG_ ${number} ${name} "${comment}";`]),
    ...(longName === undefined ? [] : [`BA_ "SystemSignalLongSymbol" SG_ ${number} ${name} "${longName}";`]),
    ...(valueType === undefined
      ? []
      : [`SIG_VALTYPE_ ${number} ${name} ${hasColon ? ': ' : ''}${valueType};`]),
    ...(ranges === undefined ? [] : [`SG_MUL_VAL_ ${number} ${name} Page ${ranges};`]),
    ...(values.length === 0
      ? []
      : [`VAL_ ${number} ${name} ${values.map(([raw, label]) => `${raw} "${label}"`).join(' ')} ;`]),
  ];
}
