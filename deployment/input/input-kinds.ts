import { dbcLimits } from '../../protocol/limits.ts';
import { languageLimits } from '../../scenarios/limits.ts';
import { limits as routeLimits } from '../../simulator/routes/limits.ts';
import { limits } from '../shared/limits.ts';

/** A kind of file that a user names, and the options and arguments that accept it. */
export interface InputFileRow {
  /** Begins a sentence about the file. */
  readonly what: string;
  /** What to do where it cannot be read: a sentence. */
  readonly remedy: string;
  /** Options of any command, and arguments as `COMMAND <argument>`. */
  readonly named: readonly string[];
  /** The largest that is read at once. `Infinity`: it is read in parts, each of a bounded size. */
  readonly mostBytes: number;
  /** `-` is standard input. Otherwise it is a file of that name. */
  readonly takesStandardInput?: true;
}

/** UTF-8 has at most so many bytes for a UTF-16 unit of a text. */
const CHARACTER_BYTES = 3;

/**
 * Every kind of file that an option or an argument accepts. All of them are regular files, whose size is checked before
 * they are read (input-file.ts). The content of a file of another kind is not printed.
 */
export const INPUT_FILES = {
  settings: {
    what: 'The settings file',
    remedy: 'Name a file of settings in YAML, or leave it out.',
    named: ['--config'],
    mostBytes: CHARACTER_BYTES * limits.settingsCharacters,
  },
  credentials: {
    what: 'The credentials file',
    remedy: 'Name the file that --write-credentials has written.',
    named: ['--credentials'],
    mostBytes: limits.credentialsBytes,
  },
  authority: {
    what: 'The certificate authority',
    remedy: 'Give a file in PEM form.',
    named: ['--mqtt-ca', '--amqp-ca', '--store-ca', '--ca'],
    mostBytes: limits.authorityBytes,
  },
  route: {
    what: 'The route',
    remedy: 'Name a route in GPX or GeoJSON.',
    named: ['--route'],
    mostBytes: routeLimits.fileBytes,
  },
  drive: {
    what: 'The recorded drive',
    remedy: 'Name a recorded drive in GPX, GeoJSON, CSV or JSON.',
    named: ['--drive', 'recorded_drive of a scenario'],
    mostBytes: routeLimits.fileBytes,
  },
  link: {
    what: 'The recorded link',
    remedy: 'Name a recorded link of Mahimahi.',
    named: ['weather.trace.file of a scenario'],
    mostBytes: routeLimits.fileBytes,
  },
  driveColumns: {
    what: 'The mapping file',
    remedy: 'Name a file in YAML that says which column is what.',
    named: ['--drive-columns'],
    mostBytes: limits.settingsCharacters,
  },
  map: {
    what: 'The map',
    remedy: 'Give a PMTiles file, or the URL of a MapLibre style.',
    named: ['--map'],
    mostBytes: Number.POSITIVE_INFINITY,
  },
  model: {
    what: 'The model file',
    remedy:
      'Name a model file (*.yaml, *.yml, *.json); "boxtwin model from-dbc" proposes one from a CAN database.',
    named: ['--models', 'model check <file>'],
    mostBytes: CHARACTER_BYTES * limits.modelCharacters,
    takesStandardInput: true,
  },
  dbc: {
    what: 'The DBC file',
    remedy: 'Name a CAN database (*.dbc).',
    named: ['model from-dbc <file>'],
    mostBytes: dbcLimits.fileBytes,
  },
  scenario: {
    what: 'The scenario',
    remedy: 'Name a scenario (*.yaml); "boxtwin scenario new FILE" writes one.',
    named: ['scenario run <place>', 'scenario explore <file>', 'scenario coverage [files]'],
    mostBytes: CHARACTER_BYTES * languageLimits.characters,
    takesStandardInput: true,
  },
  trace: {
    what: 'The trace',
    remedy: 'Name the file that "boxtwin scenario run FILE --trace" has written.',
    named: ['scenario from-trace <file>', 'console <trace>'],
    // The console reads it again for each page, which standard input does not allow.
    mostBytes: Number.POSITIVE_INFINITY,
    takesStandardInput: true,
  },
  messages: {
    what: 'The messages file',
    remedy: 'Name a file of messages, one JSON object a line, as "boxtwin tail --json" prints them.',
    named: ['--messages'],
    mostBytes: Number.POSITIVE_INFINITY,
    takesStandardInput: true,
  },
  body: {
    what: 'The body',
    remedy: 'Give the JSON itself, @FILE, or - for standard input.',
    named: ['api --body @FILE'],
    mostBytes: limits.requestBodyBytes,
    takesStandardInput: true,
  },
  store: {
    what: 'The store',
    remedy: 'Name the store of a data directory.',
    named: ['--store', '--from'],
    mostBytes: Number.POSITIVE_INFINITY,
  },
} as const satisfies Readonly<Record<string, InputFileRow>>;

export type InputKind = keyof typeof INPUT_FILES;
