import { dbcLimits } from '../../protocol/limits.ts';
import { languageLimits } from '../../scenarios/limits.ts';
import { limits as routeLimits } from '../../simulator/routes/limits.ts';
import { limits } from '../shared/limits.ts';

/** A kind of file that a user names, and the options and arguments that accept it. */
export interface InputFileRow {
  /** Begins a sentence about the file. */
  readonly what: string;
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
    named: ['--config'],
    mostBytes: CHARACTER_BYTES * limits.settingsCharacters,
  },
  credentials: {
    what: 'The credentials file',
    named: ['--credentials'],
    mostBytes: limits.credentialsBytes,
  },
  authority: {
    what: 'The certificate authority',
    named: ['--mqtt-ca', '--amqp-ca', '--store-ca', '--ca'],
    mostBytes: limits.authorityBytes,
  },
  route: { what: 'The route', named: ['--route'], mostBytes: routeLimits.fileBytes },
  drive: {
    what: 'The recorded drive',
    named: ['--drive', 'recorded_drive of a scenario'],
    mostBytes: routeLimits.fileBytes,
  },
  link: {
    what: 'The recorded link',
    named: ['weather.trace.file of a scenario'],
    mostBytes: routeLimits.fileBytes,
  },
  driveColumns: {
    what: 'The mapping file',
    named: ['--drive-columns'],
    mostBytes: limits.settingsCharacters,
  },
  map: { what: 'The map', named: ['--map'], mostBytes: Number.POSITIVE_INFINITY },
  model: {
    what: 'The model file',
    named: ['--models', 'model check <file>'],
    mostBytes: CHARACTER_BYTES * limits.modelCharacters,
    takesStandardInput: true,
  },
  dbc: { what: 'The DBC file', named: ['model from-dbc <file>'], mostBytes: dbcLimits.fileBytes },
  scenario: {
    what: 'The scenario',
    named: ['scenario run <place>', 'scenario explore <file>', 'scenario coverage [files]'],
    mostBytes: CHARACTER_BYTES * languageLimits.characters,
    takesStandardInput: true,
  },
  trace: {
    what: 'The trace',
    named: ['scenario from-trace <file>', 'console <trace>'],
    // The console reads it again for each page, which standard input does not allow.
    mostBytes: Number.POSITIVE_INFINITY,
    takesStandardInput: true,
  },
  messages: {
    what: 'The messages file',
    named: ['--messages'],
    mostBytes: Number.POSITIVE_INFINITY,
    takesStandardInput: true,
  },
  body: {
    what: 'The body',
    named: ['api --body @FILE'],
    mostBytes: limits.requestBodyBytes,
    takesStandardInput: true,
  },
  store: {
    what: 'The store',
    named: ['--store', '--from'],
    mostBytes: Number.POSITIVE_INFINITY,
  },
} as const satisfies Readonly<Record<string, InputFileRow>>;

export type InputKind = keyof typeof INPUT_FILES;
