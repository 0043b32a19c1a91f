import { InvalidArgumentError, Option } from 'commander';
import { formerly } from './option-values.ts';

export type ReportKind = 'junit' | 'json' | 'html';

/** Where a report goes. */
export interface ReportTarget<Kind extends ReportKind = ReportKind> {
  readonly kind: Kind;
  readonly file: string;
}

/** `--report`, of a command that has these kinds of reports. */
export function reportOption(kinds: readonly ReportKind[]): Option {
  const forms = kinds.map((kind) => `${kind}=FILE`).join(' or ');
  return new Option('-o, --report <kind=file>', `write a report: ${forms}; may be given several times`)
    .argParser((text: string, before: readonly ReportTarget[]) => {
      const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
      const kind = kinds.find((one) => one === name);
      if (kind === undefined)
        throw new InvalidArgumentError(`It takes ${kinds.map((one) => `${one}=FILE`).join(', ')}.`);
      return [...before, { kind, file }];
    })
    .default([]);
}

/** How the report of one kind was asked for: `--junit FILE`. */
export function formerReportOption(kind: ReportKind): Option {
  return formerly(`--${kind} <file>`, 'report', (file, before) => [
    ...(before as readonly ReportTarget[]),
    { kind, file },
  ]);
}
