import { openStage, requestIn, type Stage } from '../http/stage.ts';

export const LOCK = '/vehicles/VEH01/commands/lock-central-lock';

/** A stage with one connected vehicle, and a token for it. */
export async function onStage(): Promise<{ stage: Stage; token: string }> {
  const stage = await openStage();
  await stage.addVehicle();
  return { stage, token: await stage.token() };
}

/** How long the answer took, in virtual milliseconds, and what it was. */
export async function timed(stage: Stage, token: string, path = LOCK) {
  const fromMs = stage.loop.nowMs;
  const answer = await stage.ask('POST', path, { token });
  return { answer, tookMs: stage.loop.nowMs - fromMs };
}

/** What the store knows of the first command that was sent. */
export const commandOf = (stage: Stage) =>
  stage.store.commands.find(requestIn(stage.sent[0]?.bytes ?? new Uint8Array(0)).requestId);
