/** A scenario that can be opened. */
export interface ScenarioEntry {
  readonly name: string;
  readonly about: string;
  /** It is part of boxtwin: it is opened, and saved under another name. */
  readonly isBuiltIn: boolean;
}

/** A mistake in the text of a scenario, and its position; both from 1. */
export interface ScenarioMistake {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** A run of a scenario in the virtual world. */
export interface ScenarioRun {
  readonly id: string;
  readonly state: 'running' | 'ended';
  readonly tookMs: number;
  /** `passed`, `failed`, `stuck`, `crashed`, `refused`; undefined while it runs. */
  readonly verdict: string | undefined;
  /** The message of the command. */
  readonly report: string;
  /** Whether there is a trace to replay. */
  readonly hasTrace: boolean;
}
