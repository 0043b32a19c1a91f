import { COMMAND_OPERATIONS } from '../../../contract/command-operations.ts';
import { listed } from '../../../judge/wording.ts';
import { nearestNames } from '../../../scenarios/language/document/nearest.ts';
import { meantSpan } from '../../../scenarios/language/document/nearest-quantity.ts';
import { parseSpan } from '../../../scenarios/language/document/quantity.ts';

/** What a vehicle, its driver or a workshop does. */
export interface Act {
  readonly kind: 'act';
  readonly name: string;
  readonly does: string;
  /** An object. Its types tell how texts are read. */
  readonly example: unknown;
  /** Of vehicles with a box, of those that are connected by their maker, or of both. */
  readonly owners: readonly ActOwner[];
}
type ActOwner = 'boxes' | 'maker-vehicles';

/** What a network does to vehicles, or what breaks. */
export interface Fault {
  readonly kind: 'fault';
  /** `coverage`; that of a part of the installation also has its part: `broker.restart`. */
  readonly name: string;
  readonly does: string;
  /** A single value, such as that of `coverage none`, or an object. */
  readonly example: unknown;
  /** Of single vehicles; false: of the whole installation. */
  readonly isOfVehicles: boolean;
  /** False: it happens at once. */
  readonly lasts: boolean;
  /** The names around its value in the control API: `weather`, `coverage`. */
  readonly path: readonly string[];
}

/** Everything that the simulator can do, as its control API describes it. */
export type Action = Act | Fault;

/** The descriptions in the simulator's control API. */
export interface Offered {
  /** `GET /`, `post`: `/boxes/{id}/drive`. */
  readonly acts: Readonly<Record<string, { readonly does: string; readonly example?: unknown }>>;
  /** `GET /`, `makers`: `POST /maker-vehicles/{id}/drive`. */
  readonly makers: Readonly<Record<string, unknown>>;
  /** `GET /faults`, `words`. */
  readonly faults: readonly {
    readonly of: string;
    readonly name: string;
    readonly does: string;
    readonly example: Readonly<Record<string, unknown>>;
    readonly isOfBoxes: boolean;
    readonly lasts: boolean;
  }[];
}

/** One request to the control API, a POST. */
export interface ActionRequest {
  readonly action: Action;
  readonly path: string;
  readonly body: unknown;
}

/** What was typed. */
export interface ActionWish {
  /** Undefined: all vehicles. */
  readonly vehicle: string | undefined;
  /** The vehicle is connected by its maker. */
  readonly isOfMaker: boolean;
  readonly action: string;
  readonly values: readonly string[];
  readonly for: string | undefined;
}

/** Everything that can be done, acts first. An act that a fault of the same name supersedes is left out. */
export function actionsOf({ acts, makers, faults }: Offered): readonly Action[] {
  const offeredFaults = faults.map((fault): Fault => {
    const path = fault.of === 'weather' ? ['weather', fault.name] : ['break', fault.of, fault.name];
    return {
      kind: 'fault',
      name: ['weather', 'box'].includes(fault.of) ? fault.name : `${fault.of}.${fault.name}`,
      does: fault.does,
      example: path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), fault.example),
      isOfVehicles: fault.isOfBoxes,
      lasts: fault.lasts,
      path,
    };
  });
  const superseded = new Set(offeredFaults.map(({ name }) => name));
  const described: Readonly<Record<ActOwner, ReadonlyMap<string, unknown>>> = {
    boxes: named(acts, /^\/boxes\/\{id\}\/([\w-]+)$/),
    'maker-vehicles': named(makers, /^POST \/maker-vehicles\/\{id\}\/([\w-]+)$/),
  };
  const names = new Set([...described.boxes.keys(), ...described['maker-vehicles'].keys()]);
  const offeredActs = [...names].flatMap((name): Act[] => {
    if (superseded.has(name)) return [];
    const owners = (['boxes', 'maker-vehicles'] as const).filter((owner) => described[owner].has(name));
    const row = described.boxes.get(name) ?? described['maker-vehicles'].get(name);
    const { does, example } = isObject(row) ? row : {};
    return [{ kind: 'act', name, does: String(does ?? ''), example: example ?? {}, owners }];
  });
  return [...offeredActs, ...offeredFaults];
}

/** The request that does it, or why there is none. */
export function requestFor(
  actions: readonly Action[],
  wish: ActionWish,
): ActionRequest | { readonly refusal: string } {
  const action = actions.find(({ name }) => name === wish.action);
  if (action === undefined) return { refusal: unknownText(actions, wish) };
  const body = bodyOf(action, wish.values);
  if ('refusal' in body) return body;
  return action.kind === 'act'
    ? actRequest(action, wish, body.value)
    : faultRequest(action, wish, body.value);
}

function actRequest(act: Act, wish: ActionWish, body: unknown): ActionRequest | { readonly refusal: string } {
  const { vehicle, isOfMaker, action } = wish;
  if (vehicle === undefined)
    return { refusal: `"${action}" is done by one vehicle: name it. "boxtwin vehicles" lists them.` };
  if (wish.for !== undefined) {
    const meant = lengthMeant(act, wish.for);
    const hint = meant === undefined ? '' : ` Give ${meant}: boxtwin do ${vehicle} ${action} ${meant}`;
    return { refusal: `--for is how long a fault lasts, and "${action}" is none.${hint}` };
  }
  const owner = isOfMaker ? 'maker-vehicles' : 'boxes';
  if (act.owners.includes(owner))
    return { action: act, path: `/${owner}/${encodeURIComponent(vehicle)}/${act.name}`, body };
  return {
    refusal: isOfMaker
      ? `${vehicle} is connected by its maker, and has no "${action}".`
      : `"${action}" is only for vehicles that are connected by their maker.`,
  };
}

/** The values by which acts name their length, all in seconds. */
const LENGTHS: readonly string[] = ['seconds', 'duration_s', 'gap_s'];

/** The value of an act that sets how long it takes: `seconds=5` for 5s; undefined: it has none. */
function lengthMeant({ example }: Act, span: string): string | undefined {
  const key = LENGTHS.find((name) => isObject(example) && name in example);
  const lengthMs = parseSpan(span);
  return key === undefined || lengthMs === undefined ? undefined : `${key}=${lengthMs / 1_000}`;
}

function faultRequest(
  fault: Fault,
  wish: ActionWish,
  value: unknown,
): ActionRequest | { readonly refusal: string } {
  const { vehicle, isOfMaker, action } = wish;
  if (!fault.isOfVehicles && vehicle !== undefined)
    return { refusal: `"${action}" is a fault of the whole installation: boxtwin do all ${action}` };
  if (wish.for !== undefined && parseSpan(wish.for) === undefined) return { refusal: spanRefusal(wish.for) };
  if (isOfMaker)
    return {
      refusal: `${vehicle} is connected by its maker: no fault of a box or its link is possible there.`,
    };
  const named = fault.path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return {
    action: fault,
    path: '/faults',
    body: {
      ...(named as object),
      ...(vehicle === undefined ? {} : { on: [vehicle] }),
      ...(wish.for === undefined ? {} : { for: wish.for }),
    },
  };
}

function spanRefusal(given: string): string {
  // A bare number means seconds wherever people type a time.
  const meant = meantSpan(given) ?? meantSpan(`${given}s`);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `--for ${JSON.stringify(given)} is not a span of time, such as 90s, 2m30s or 12h.${hint}`;
}

/** Where a person says on or off. */
const ON_OFF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  coverage: { off: 'none', on: 'good' },
};

/** The value of the command line: an object of `key=value` and `key` for true, or one value; JSON works too. */
function bodyOf(
  { name, example }: Action,
  values: readonly string[],
): { readonly value: unknown } | { readonly refusal: string } {
  const [first, ...more] = values;
  if (first?.startsWith('{') === true && more.length === 0) return jsonIn(first);
  if (!isObject(example)) {
    if (first === undefined || more.length > 0)
      return {
        refusal: `"${name}" takes one value, such as ${exampleValues(example).join(' ')}, and no more.`,
      };
    return { value: readValue(ON_OFF[name]?.[first] ?? first, example) };
  }
  const body: Record<string, unknown> = {};
  for (const text of values) {
    const at = text.indexOf('=');
    const key = at < 0 ? text : text.slice(0, at);
    body[key] = at < 0 ? true : readValue(text.slice(at + 1), example[key]);
  }
  return { value: body };
}

function jsonIn(text: string): { readonly value: unknown } | { readonly refusal: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { refusal: `${text} is not JSON. Quote it for your shell, or write key=value.` };
  }
}

/** The text itself where the example has one, such as the version 2.40; otherwise JSON, or what is no JSON as text. */
function readValue(text: string, example: unknown): unknown {
  if (typeof example === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function unknownText(actions: readonly Action[], { action, vehicle = 'VEHICLE' }: ActionWish): string {
  const parts = actions.filter(({ name }) => name.endsWith(`.${action}`)).map(({ name }) => name);
  const near = nearestNames(
    action,
    actions.map(({ name }) => name),
  );
  const meant = parts.length > 0 ? parts : near;
  // Clients of the API lock and unlock; a person who types it here means such a command.
  const commands = COMMAND_OPERATIONS.map(({ name = '' }) => name);
  const isCommand = commands.some((name) => name === action || name.startsWith(`${action}-`));
  const [command] = isCommand || meant.length === 0 ? nearestNames(action, commands) : [];
  const operation = COMMAND_OPERATIONS.find(({ name }) => name === command);
  if (operation !== undefined)
    return `There is no action "${action}", but a command of the API: boxtwin api post ${operation.path.replace('{id}', vehicle)}`;
  const hint = meant.length === 0 ? '' : ` Did you mean ${listed(meant)}?`;
  return `There is no action "${action}".${hint} "boxtwin do VEHICLE" lists all of them.`;
}

/** Why the simulator refuses what was typed, by the names that were typed. */
export function refusedText(action: Action, detail: string): string {
  if (action.kind === 'act') return `${action.name}: ${detail}`;
  const place = action.path.join('.');
  return detail
    .replaceAll(`in ${place}`, `in ${action.name}`)
    .replaceAll(`${place}.`, `${action.name}: `)
    .replaceAll(place, action.name);
}

/** A fault as the words of a command line that apply it: `coverage none`, `broker.restart sessions=lost`. */
export function faultWords(fault: Readonly<Record<string, unknown>>): string {
  const [[of = '', inner] = []] = Object.entries(fault);
  if (!isObject(inner)) return JSON.stringify(fault);
  const [[name = '', value] = []] = Object.entries(inner);
  if (of === 'weather') return [name, ...exampleValues(value)].join(' ');
  const [[kind = '', settings] = []] = Object.entries(isObject(value) ? value : {});
  return [name === 'box' ? kind : `${name}.${kind}`, ...exampleValues(settings)].join(' ');
}

/** An example as the words of a command line. */
export function exampleValues(example: unknown): readonly string[] {
  if (!isObject(example)) return [textOf(example)];
  return Object.entries(example).map(([key, value]) => (value === true ? key : `${key}=${textOf(value)}`));
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w.+:,-]*$/.test(text) ? text : `'${text}'`;
}

function named(rows: Readonly<Record<string, unknown>>, pattern: RegExp): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(rows).flatMap(([place, row]) => {
      const name = pattern.exec(place)?.[1];
      return name === undefined ? [] : [[name, row] as const];
    }),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
