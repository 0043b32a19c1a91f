import { afterEach, expect, vi } from 'vitest';
import { observeConsumer, observePublishers, takeMessageFindings } from './observe-messages.ts';

/**
 * Every message of the service in a test is checked against the AsyncAPI document: those that this process
 * publishes, and those of other processes that it consumes. A test with an undeclared or wrong field or
 * header fails, with the finding.
 */
observePublishers();

vi.mock('amqplib', async (original) => {
  const actual = await original<typeof import('amqplib')>();
  const connect = async (...options: Parameters<typeof actual.connect>) =>
    observeConsumer(await actual.connect(...options));
  return { ...actual, connect };
});

afterEach(() => {
  expect(takeMessageFindings(), 'messages that the AsyncAPI document does not declare').toEqual([]);
});
