import type { Log, LogFields } from './log.ts';
import type { Trace } from './trace.ts';
import type { Life } from './virtual-life.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

/** The log of a virtual run: it goes into the trace, and what an operator would look at is kept. */
export interface VirtualLog extends Log {
  /** The first warnings and errors, oldest first. */
  readonly complaints: readonly LogLine[];
}

/** A run that complains without end must not fill the memory. */
const KEPT_COMPLAINTS = 10_000;

/** The log of `life`; `complaints` may be shared by several, such as one program's incarnations. */
export function virtualLog(trace: Trace, life: Life, complaints: LogLine[] = []): VirtualLog {
  const write =
    (level: LogLine['level']) =>
    (fields: LogFields, message: string): void => {
      if (life.isSevered) return;
      trace.note({ who: life.name, what: `log-${level}`, detail: `${message} ${JSON.stringify(fields)}` });
      const isComplaint = level === 'warn' || level === 'error';
      if (isComplaint && complaints.length < KEPT_COMPLAINTS) complaints.push({ level, fields, message });
    };
  return {
    complaints,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
