import { runThread } from '../../../world/threads/thread-program.ts';

/** A program for the test of threads: answers what it is asked, or does what the word says. */
runThread<{ readonly refuse?: string }, string, string>(({ refuse }) => {
  if (refuse !== undefined) throw new RangeError(refuse);
  return {
    facts: 'ready to echo',
    answer: (word) => {
      if (word === 'throw') throw new Error('told to throw');
      if (word === 'die') process.exit(3);
      return word.toUpperCase();
    },
    close: () => undefined,
  };
});
