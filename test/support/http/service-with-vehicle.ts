import { commandRequestIn, openTestService, type TestService } from './test-service.ts';

export const LOCK_PATH = '/vehicles/VEH01/commands/lock-central-lock';

/** A test service with one connected vehicle, and a token for it. */
export async function openServiceWithVehicle(): Promise<{ stage: TestService; token: string }> {
  const stage = await openTestService();
  await stage.addVehicle();
  return { stage, token: await stage.token() };
}

/** The answer, and how long it took in virtual milliseconds. */
export async function timedCommand(stage: TestService, token: string, path = LOCK_PATH) {
  const fromMs = stage.loop.nowMs;
  const answer = await stage.ask('POST', path, { token });
  return { answer, tookMs: stage.loop.nowMs - fromMs };
}

/** The stored row of the first command that was sent. */
export const firstCommandOf = (stage: TestService) =>
  stage.store.commands.find(commandRequestIn(stage.sent[0]?.bytes ?? new Uint8Array(0)).requestId);
