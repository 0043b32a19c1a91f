import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import type { Act, ActionCatalogue, AnsweredCall, ApiCommand } from '../../stream/actions.ts';
import type { VehiclePicture } from '../../stream/vehicle-picture.ts';
import { Controls } from '../controls.tsx';
import { AllMatching, matchingBoxes } from '../fleet/all-matching.tsx';
import { ask } from '../state/ask.ts';
import { fleetVersion } from '../state/fleet.ts';
import { addMark } from '../state/marks.ts';
import { useAsked } from '../state/use-asked.ts';
import { Trouble } from '../trouble.tsx';
import { CallForm } from './call-form.tsx';

const ACTS_AT_A_TIME = 8;
/** Until the actions are loaded. */
const EMPTY: ActionCatalogue = { acts: [], commands: [] };

/** One action, and its result. */
interface Done {
  readonly title: string;
  readonly outcome: string;
  readonly detail: string;
  readonly curl: string | undefined;
  readonly isGood: boolean;
}

/** Commands of the API, and actions on vehicle and box; both lists come from the tables of their interfaces. */
export function ActionPanel({ picture }: { readonly picture: VehiclePicture }) {
  const { answer: catalogue = EMPTY } = useAsked<ActionCatalogue>('/console/actions');
  const [done, setDone] = useState<readonly Done[]>([]);
  const [isBusy, setIsBusy] = useState(false);

  const run = async (title: string, work: () => Promise<Done>) => {
    setIsBusy(true);
    addMark(picture.boxId, title);
    const result = await work().catch(
      (error: unknown): Done => ({
        title,
        outcome: 'refused',
        curl: undefined,
        isGood: false,
        detail: errorText(error),
      }),
    );
    setDone((before) => [result, ...before].slice(0, 5));
    setIsBusy(false);
  };

  const { boxId, vehicleId } = picture;
  const posts = catalogue.commands.filter(({ method }) => method === 'POST');
  const others = catalogue.commands.filter(({ method }) => method !== 'POST');
  return (
    <section class="actions" aria-label="Actions">
      <h3>Actions</h3>
      <Controls of="service">
        {vehicleId !== null && posts.length > 0 && (
          <CommandButtons
            commands={posts}
            isBusy={isBusy}
            send={(command) => void run(nameOf(command), () => send(command, vehicleId))}
          />
        )}
        {vehicleId !== null && others.length > 0 && (
          <CallForm
            calls={others}
            isBusy={isBusy}
            send={(call, body) =>
              void run(`${call.method} ${nameOf(call)}`, () => send(call, vehicleId, body))
            }
          />
        )}
      </Controls>
      <Controls of="simulator">
        <ActForm
          acts={catalogue.acts}
          isBusy={isBusy}
          act={(name, body, toAll) =>
            void run(name, () => (toAll ? actOnAll(name, body) : actOnOne(boxId, name, body)))
          }
        />
      </Controls>
      <ul class="done" aria-live="polite" aria-label="Results">
        {done.map((one, index) => (
          <li key={`${done.length - index}`} class={one.isGood ? 'good' : 'bad'}>
            <strong>{one.title}</strong> <span class="outcome">{one.outcome}</span> {one.detail}
            {one.curl !== undefined && <code class="curl">{one.curl}</code>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CommandButtons(buttons: {
  readonly commands: readonly ApiCommand[];
  readonly isBusy: boolean;
  send(command: ApiCommand): void;
}) {
  // Acts that move the vehicle come first.
  const first = buttons.commands.filter(({ path }) => path.startsWith('/vehicles/{id}/commands/'));
  const groups = [...new Set([...first, ...buttons.commands].map(({ group }) => group))];
  return (
    <div class="commands">
      {groups.map((group) => (
        <details key={group} open={group === groups[0]}>
          <summary>{group}</summary>
          {buttons.commands
            .filter((command) => command.group === group)
            .map((command) => (
              <button
                key={command.path}
                type="button"
                title={command.summary}
                disabled={buttons.isBusy}
                onClick={() => buttons.send(command)}
              >
                {nameOf(command)}
              </button>
            ))}
        </details>
      ))}
    </div>
  );
}

function ActForm(form: {
  readonly acts: readonly Act[];
  readonly isBusy: boolean;
  act(name: string, body: unknown, toAll: boolean): void;
}) {
  const [name, setName] = useState('');
  const [text, setText] = useState('{}');
  const [toAll, setToAll] = useState(false);
  const [trouble, setTrouble] = useState('');
  void fleetVersion.value;
  const chosen = form.acts.find((act) => act.name === name) ?? form.acts[0];
  const submit = (event: Event) => {
    event.preventDefault();
    if (chosen === undefined) return;
    try {
      form.act(chosen.name, JSON.parse(text) as unknown, toAll);
      setTrouble('');
    } catch (error) {
      setTrouble(`The settings are not JSON: ${error instanceof Error ? error.message : ''}`);
    }
  };
  useEffect(() => {
    if (chosen !== undefined) setText(JSON.stringify(chosen.example ?? {}));
  }, [chosen]);
  return (
    <form class="acts" onSubmit={submit}>
      <label>
        <span>Action or fault</span>
        <select value={chosen?.name ?? ''} onChange={(event) => setName(event.currentTarget.value)}>
          {form.acts.map((act) => (
            <option key={act.name} value={act.name}>
              {act.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Settings (JSON)</span>
        <input value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} />
      </label>
      <button type="submit" disabled={form.isBusy || chosen === undefined}>
        Run
      </button>
      <p class="does">
        {chosen?.does} <AllMatching isOn={toAll} change={setToAll} />
      </p>
      <Trouble text={trouble} />
    </form>
  );
}

async function send(command: ApiCommand, vehicleId: string, sent?: unknown): Promise<Done> {
  const { method, path, summary } = command;
  const answered = await ask<AnsweredCall>('/console/calls', {
    method,
    path: path.replace('{id}', encodeURIComponent(vehicleId)),
    ...(sent === undefined ? {} : { body: sent }),
  });
  const { status, tookMs, body, curl, retryAfter } = answered;
  const isGood = status < 400;
  const { detail, type } = (body ?? {}) as { readonly detail?: unknown; readonly type?: unknown };
  return {
    title: method === 'POST' ? nameOf(command) : `${method} ${nameOf(command)}`,
    outcome: `${status} after ${tookMs} ms`,
    detail: isGood
      ? `${summary}${method === 'GET' ? ` ${JSON.stringify(body)}` : ''}`
      : `${String(detail ?? '')} (${String(type ?? '')}${retryAfter === undefined ? '' : `, retry after ${retryAfter} s`})`,
    curl,
    isGood,
  };
}

async function actOnOne(boxId: string, name: string, body: unknown): Promise<Done> {
  await ask(`/console/vehicles/${boxId}/acts/${name}`, body);
  return { title: name, outcome: 'done', detail: '', curl: undefined, isGood: true };
}

/** A few at a time, in the order of the fleet; the outcome counts the refusals, with the first reason. */
async function actOnAll(name: string, body: unknown): Promise<Done> {
  const waiting = [...matchingBoxes()];
  const total = waiting.length;
  const refusals: string[] = [];
  const work = async () => {
    for (let boxId = waiting.shift(); boxId !== undefined; boxId = waiting.shift())
      await ask(`/console/vehicles/${boxId}/acts/${name}`, body).catch((error: unknown) =>
        refusals.push(errorText(error)),
      );
  };
  await Promise.all(Array.from({ length: ACTS_AT_A_TIME }, work));
  return {
    title: name,
    curl: undefined,
    isGood: refusals.length === 0,
    outcome: `done to ${total - refusals.length} of ${total}`,
    detail: refusals[0] ?? '',
  };
}

/** `unlock-central-lock` of its path; `vehicle` of the vehicle itself. */
function nameOf({ path }: Pick<ApiCommand, 'path'>): string {
  const last = path.split('/').at(-1) ?? path;
  return last === '{id}' ? 'vehicle' : last;
}
