import type { Mutant } from '../mutant.ts';

const ELECTION = 'src/controller/leader-election.ts';
const CONTROLLER_LOOP = 'src/controller/controller.ts';

export const CONTROLLER: readonly Mutant[] = [
  {
    file: ELECTION,
    what: 'the deadline of the Lease is counted from after the answer',
    find: 'this.#renewDeadline = begun + ',
    replace: 'this.#renewDeadline = this.#options.clock.now() + Math.min(begun, 0) + ',
  },
  {
    file: ELECTION,
    what: 'a Lease is taken over when the leader may still act',
    find: 'unchangedMs >= Math.max(durationSeconds * 1_000, LEASE_DURATION_MS)',
    replace: 'unchangedMs >= Math.min(durationSeconds * 1_000, RENEW_DEADLINE_MS)',
  },
  {
    file: ELECTION,
    what: 'a Lease is taken over by comparing the clocks of two machines',
    find: 'const unchangedMs = this.#options.clock.now() - this.#observedSince;',
    replace: 'const unchangedMs = this.#options.clock.wallNow() - (this.#observed?.renewedAt ?? Infinity);',
  },
  {
    file: ELECTION,
    what: 'a term goes on although another replica holds the Lease',
    find: 'else await this.#endTerm();\n    } catch',
    replace: '\n    } catch',
  },
  {
    file: ELECTION,
    what: 'the Lease is given up while work of the term goes on',
    find: '    await term.over;\n',
    replace: '',
  },
  {
    file: ELECTION,
    what: 'a Lease that was not written for long counts as observed just now',
    find: 'if (this.#observed?.resourceVersion === lease.resourceVersion) return;',
    replace: 'if (this.#observed?.holder === lease.holder) return;',
  },
  {
    file: CONTROLLER_LOOP,
    what: 'what time alone makes due is forgotten after a permanent failure',
    find: 'if (outcome.afterMs !== undefined) queue.addAfter(key, outcome.afterMs);',
    replace: '',
  },
  {
    file: CONTROLLER_LOOP,
    what: 'a failure that may pass is not tried again',
    find: 'queue.retry(key);',
    replace: 'queue.forget(key);',
  },
];
