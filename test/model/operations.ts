import fc from 'fast-check';
import type { FakeMethod } from '../fakes/fake-journal.ts';

/** What users, operators, clusters and time do to Secrets and their history. */
export type Operation =
  | { readonly do: 'create'; readonly name: string }
  | { readonly do: 'update'; readonly name: string; readonly by: number; readonly stale: boolean }
  /** By an admin who has reviewed a collision. */
  | { readonly do: 'recover'; readonly name: string; readonly by: number }
  | { readonly do: 'restore'; readonly name: string; readonly by: number; readonly pick: number }
  | { readonly do: 'delete'; readonly name: string; readonly by: number; readonly keepHistory: boolean }
  // with kubectl
  | { readonly do: 'edit'; readonly name: string }
  | { readonly do: 'setCounter'; readonly name: string; readonly to: number }
  | { readonly do: 'remove'; readonly name: string }
  | { readonly do: 'hold'; readonly name: string }
  | { readonly do: 'release'; readonly name: string }
  | { readonly do: 'loseLabels'; readonly pick: number }
  | { readonly do: 'dropSnapshot'; readonly pick: number }
  // around the service
  | { readonly do: 'setLimit'; readonly of: number; readonly to: number }
  /** On what the watch knows: everything, or only what it knew the last time. */
  | { readonly do: 'reconcile'; readonly upToDate: boolean }
  | { readonly do: 'pass'; readonly hours: number }
  /** The next call of this kind fails, before or after its effect. */
  | { readonly do: 'fail'; readonly method: FakeMethod; readonly when: 'before' | 'after' }
  /** Something else happens around the next call of this kind. */
  | {
      readonly do: 'meanwhile';
      readonly method: FakeMethod;
      readonly when: 'before' | 'after';
      readonly other: Operation;
    };

const name = fc.constantFrom('a', 'b');
const by = fc.nat(1);
const pick = fc.nat(20);
const when = fc.constantFrom('before' as const, 'after' as const);
const method = fc.constantFrom<FakeMethod>(
  'secrets.read',
  'secrets.listPage',
  'secrets.listMetadata',
  'secrets.create',
  'secrets.replace',
  'secrets.delete',
);

const plain: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), name }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('update' as const), name, by, stale: fc.constant(false) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('update' as const), name, by, stale: fc.constant(true) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recover' as const), name, by }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restore' as const), name, by, pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('delete' as const), name, by, keepHistory: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('setCounter' as const), name, to: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('loseLabels' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dropSnapshot' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('setLimit' as const),
      of: by,
      to: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('reconcile' as const), upToDate: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 30 }) }),
  },
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 30, arbitrary: plain },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('fail' as const), method, when }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('meanwhile' as const), method, when, other: plain }) },
);

/** A sequence of operations, long enough for limits to matter. */
export const sequences: fc.Arbitrary<readonly Operation[]> = fc.array(operation, {
  minLength: 5,
  maxLength: 60,
  size: 'max',
});
