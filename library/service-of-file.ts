import { errorText } from '../world/error-text.ts';
import { shellWord } from '../world/shell-word.ts';
import { errorAtCaller } from './caller.ts';
import { limits } from './limits.ts';
import { type FrameEvent, Recording, type TestEvent } from './recording.ts';
import type { Running } from './running.ts';
import { recordingOf } from './running-service.ts';
import { type StartOptions, start } from './start.ts';
import { keepResults, keptLine, removeResults, resultsFolder } from './test-results.ts';
import { readerOf } from './vehicle.ts';
import { viewsText } from './vehicle-views.ts';

/** A test that has failed. */
export interface FailedTest {
  readonly file: string | undefined;
  readonly name: string;
  /** Its errors, with their stacks. */
  readonly errors: readonly string[];
  /** The command that runs it again. */
  readonly repeat: string;
}

/**
 * A service that runs during the tests of a file: every access before that is refused with a sentence. It has all that
 * `start` returns.
 */
export interface ServiceOfFile {
  readonly service: Running;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** A test begins: its accesses count from here on, and what an earlier run of it has left is removed. */
  testBegins(folder: string): void;
  /**
   * Of a failed test that has used the service: the lines for its message, with its last call and action, the seed of
   * the fleet and where the files are that `kept` resolves with having written. Undefined: it has not used the service.
   */
  failed(
    test: FailedTest,
    folder: string,
  ): { readonly lines: string; readonly kept: Promise<void> } | undefined;
}

const FILES = ['report.txt', 'trace.jsonl', 'repeat.sh'];

/** Nothing is started before `begin`. */
export function serviceOfFile(options: StartOptions): ServiceOfFile {
  let running: Running | undefined;
  let wasUsed = false;
  const handler = {
    get(_: Running, name: string | symbol): unknown {
      // Code that checks whether it is a promise, or prints it, is no test.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      if (running === undefined)
        throw errorAtCaller(
          `boxtwin: "${name}" was asked for while no service is running. It is there in tests and in hooks that come after it, not while tests are collected.`,
          handler.get,
        );
      wasUsed = true;
      return running[name as keyof Running];
    },
  };
  const { seed = 1 } = options;
  return {
    service: new Proxy({} as Running, handler),
    async begin() {
      running = await start({ ...options, seed });
    },
    async end() {
      await running?.stop();
      running = undefined;
    },
    testBegins(folder) {
      wasUsed = false;
      if (running !== undefined) recordingOf(running)?.begin();
      removeResults(folder);
    },
    failed(test, folder) {
      if (!wasUsed || running === undefined) return undefined;
      const seedLine = `boxtwin: the fleet of this test is that of seed ${seed}`;
      const recording = recordingOf(running) ?? new Recording();
      // What it would have awaited after the failed line is not a failure of its own.
      recording.abandonPending();
      const [events, frames] = [recording.events(), recording.frames()];
      const ofInterest = framesOfInterest(frames, recording, running);
      const keep = async (service: Running) =>
        keepResults(folder, {
          'report.txt': await reportOf(test, seedLine, { events, frames: ofInterest }, service),
          'trace.jsonl': [...events, ...frames]
            .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
            .map((event) => `${JSON.stringify(event)}\n`)
            .join(''),
          'repeat.sh': `${test.repeat}\n`,
        });
      // The error of an expectation of this library shows them already.
      const requests = recording
        .lastRequests(undefined, { reads: true })
        .filter((line) => !test.errors.some((error) => error.includes(line)));
      const lines = [...requests, seedLine, keptLine(folder, FILES)].join('\n');
      return { lines, kept: keep(running) };
    },
  };
}

/** The last frames of the vehicles and devices that the test names; of all where it names none. */
function framesOfInterest(
  frames: readonly FrameEvent[],
  recording: Recording,
  { vehicles, unassignedDevices }: Running,
): readonly FrameEvent[] {
  const named = new Set([
    ...vehicles.filter(({ id, boxId }) => recording.names([id, boxId])).map(({ boxId }) => boxId),
    ...unassignedDevices.filter(({ boxId }) => recording.names([boxId])).map(({ boxId }) => boxId),
  ]);
  const wanted = frames.filter(({ body }) => named.size === 0 || named.has(body.boxId));
  return wanted.slice(-limits.reportedFrames);
}

/** `08:12:31.250 up box 0123456789abcdef: report #12, generation 1: ignition on, ...` */
function frameLine({ at, text, body }: FrameEvent): string {
  const fields = body.fields.map(([name, value]) => `${name} ${value}`).join(', ');
  const line = `${at.slice(11, 23)} ${text}: ${fields}`;
  return line.length > limits.shownCharacters ? `${line.slice(0, limits.shownCharacters)}…` : line;
}

/** What failed, how the vehicles are, what the test did, and what went over the wire. */
async function reportOf(
  { file, name, errors, repeat }: FailedTest,
  seedLine: string,
  { events, frames }: { readonly events: readonly TestEvent[]; readonly frames: readonly FrameEvent[] },
  service: Running,
): Promise<string> {
  const vehicles = service.vehicles.slice(0, limits.reportedVehicles);
  const views = await Promise.all(
    vehicles.map(async (vehicle) => {
      const text = await readerOf(vehicle)
        ?.views()
        .then((found) => viewsText(found), errorText);
      return `Vehicle ${vehicle.id} (${vehicle.model}, box ${vehicle.boxId})\n${text}\n`;
    }),
  );
  const last = events.slice(-limits.reportedEvents);
  return [
    `${name} failed${file === undefined ? '' : ` (${file})`}`,
    seedLine,
    `repeat: ${repeat}`,
    '',
    ...errors,
    '',
    ...views,
    ...(service.vehicles.length > vehicles.length
      ? [`and ${service.vehicles.length - vehicles.length} more vehicles`, '']
      : []),
    last.length === 0
      ? 'The test did nothing through the service.'
      : `The last ${last.length} of what the test did and saw (all: trace.jsonl):`,
    ...last.map(
      ({ at, what, text, result, tookMs }) =>
        `${at.slice(11, 23)} ${what} ${text}${result === undefined ? '' : ` → ${result.split('\n')[0]}`}${tookMs === undefined ? '' : ` (${tookMs} ms)`}`,
    ),
    '',
    frames.length === 0
      ? 'No frame passed between boxes and service during the test.'
      : `The last ${frames.length} frames between boxes and service (bytes, and all others: trace.jsonl):`,
    ...frames.map(frameLine),
    '',
  ].join('\n');
}

/** The folder of a test of a file: of two files with tests of one name each has its own. */
export function folderOf(file: string | undefined, name: string): string {
  const base = file
    ?.replaceAll('\\', '/')
    .split('/')
    .at(-1)
    ?.replace(/\.(test|spec)?\.?[cm]?[jt]sx?$/, '');
  return resultsFolder(base === undefined ? name : `${base} ${name}`);
}

/** A command line of these words. */
export function commandLine(...words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
