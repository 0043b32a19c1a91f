import { z } from 'zod';
import { brokenRule, type Issue } from '../../world/broken-rule.ts';
import type { FleetBox } from '../box/fleet-box.ts';
import type { Car } from '../maker-cloud/car.ts';

/** One action of the control API on a box or a car: `POST .../{name}`, by its key in its table, in kebab-case. */
export interface Action<Target, Body extends z.ZodType = z.ZodType> {
  /** What happens, in English sentences. */
  readonly does: string;
  readonly body: Body;
  /** A valid body. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Validates any body and performs the action, or says why not. */
  attempt(target: Target, body: unknown): ActionResult;
  /** Performs the action with a body that `body` has read, or says why the state does not allow it. */
  perform(target: Target, body: z.output<Body>): PerformedAction;
}

export type PerformedAction =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'refused'; readonly detail: string };

export type ActionResult = PerformedAction | { readonly outcome: 'wrong-body'; readonly detail: string };

interface ActionRow<Target, Body extends z.ZodType> {
  readonly does: string;
  readonly body: Body;
  readonly example: z.input<Body> & Readonly<Record<string, unknown>>;
  /** Why the vehicle cannot do it now, and what to do about it; undefined: it can. */
  readonly refuses?: (
    truth: Readonly<Record<string, unknown>>,
    body: z.output<Body>,
    target: Target,
  ) => string | undefined;
  /** Performs the action; a returned text says why it could not be done after all. */
  readonly run: (target: Target, body: z.output<Body>) => unknown;
}

interface HasTruth {
  truth(): Readonly<Record<string, unknown>>;
}

/** Makes an action of a typed row. */
function action<Target extends HasTruth, Body extends z.ZodType>(
  row: ActionRow<Target, Body>,
): Action<Target, Body> {
  const { does, body, example, refuses, run } = row;
  const perform = (target: Target, given: z.output<Body>): PerformedAction => {
    const reason = refuses?.(target.truth(), given, target) ?? run(target, given);
    return typeof reason === 'string' ? { outcome: 'refused', detail: reason } : { outcome: 'done' };
  };
  return {
    does,
    body,
    example,
    perform,
    attempt(target, raw) {
      const parsed = body.safeParse(raw);
      return parsed.success
        ? perform(target, parsed.data)
        : { outcome: 'wrong-body', detail: bodyErrorText(parsed.error, example) };
    },
  };
}

/** An action on a box or its vehicle. */
export function boxAction<Body extends z.ZodType>(row: ActionRow<FleetBox, Body>): Action<FleetBox, Body> {
  return action(row);
}

/** An action on a car with its maker's telematics. */
export function makerAction<Body extends z.ZodType>(row: ActionRow<Car, Body>): Action<Car, Body> {
  return action(row);
}

/** How the control API describes a table of actions: for each its sentence, an example and its schema. */
export function describedActions<Target>(
  actions: Readonly<Record<string, Action<Target>>>,
  pathOf: (name: string) => string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(actions).map(([name, { does, body, example }]) => [
      pathOf(name),
      { does, example, body: z.toJSONSchema(body) },
    ]),
  );
}

/** Names each invalid property and shows a valid body. */
export function bodyErrorText(error: z.ZodError, example: Readonly<Record<string, unknown>>): string {
  const faults = error.issues.map((issue: Issue) => {
    if (issue.code === 'unrecognized_keys')
      return `${(issue.keys ?? []).map((name) => `"${name}"`).join(', ')}: there is no such setting`;
    const name = issue.path.join('.');
    const rule = brokenRule(issue);
    return name === '' ? rule : `${name}: ${rule}`;
  });
  return `${faults.join('; ')}. For example: ${JSON.stringify(example)}`;
}
