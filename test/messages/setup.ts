import { afterEach, expect, vi } from 'vitest';
import { observeConsumer, observeExchanges, takeMessageFindings } from './observer.ts';

/**
 * Every message of the service that passes in a test is held against the AsyncAPI document: those that this process
 * publishes, and those of other processes that it consumes. A test in which one has an undeclared or wrong field or
 * header fails, with what that is.
 */
observeExchanges();

vi.mock('amqplib', async (original) => {
  const actual = await original<typeof import('amqplib')>();
  const connect = async (...options: Parameters<typeof actual.connect>) =>
    observeConsumer(await actual.connect(...options));
  return { ...actual, connect };
});

afterEach(() => {
  expect(takeMessageFindings(), 'messages that the AsyncAPI document does not declare').toEqual([]);
});
