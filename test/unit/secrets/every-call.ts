import type { ErrorCode } from '../../../src/errors/service-error.ts';
import type { FakeCluster } from '../../fakes/fake-cluster.ts';
import type { Disturbance, FakeMethod } from '../../fakes/fake-journal.ts';
import type { Fixture } from './fixture.ts';

/** One way to break one call of an operation. */
export interface Fault {
  readonly title: string;
  readonly disturbance: Disturbance;
  readonly code: ErrorCode;
}

const WRITES: readonly FakeMethod[] = [
  'secrets.create',
  'secrets.replace',
  'secrets.patchMetadata',
  'secrets.delete',
];
const BEFORE: readonly ErrorCode[] = ['unavailable', 'rbacForbidden', 'uncertain'];

/**
 * Every fault of every cluster call that an operation makes: each call fails before its effect in three ways, and
 * each write fails after its effect, too. The operation is run once, undisturbed, to see its calls.
 */
export async function everyFault(
  open: () => Fixture,
  operation: (fixture: Fixture) => Promise<unknown>,
): Promise<readonly Fault[]> {
  const fixture = open();
  await operation(fixture);
  return fixture.cluster.calls.flatMap((entry, index, calls) => {
    const { method } = entry;
    const skip = calls.slice(0, index).filter((earlier) => earlier.method === method).length;
    const title = `call ${index + 1}, ${method},`;
    return [
      ...BEFORE.map((code) => ({
        title: `${title} fails with ${code}`,
        disturbance: { method, skip, when: 'before' as const },
        code,
      })),
      ...(WRITES.includes(method)
        ? [
            {
              title: `${title} happens and its answer is lost`,
              disturbance: { method, skip, when: 'after' as const },
              code: 'uncertain' as const,
            },
          ]
        : []),
    ];
  });
}

export function inject(cluster: FakeCluster, { disturbance, code }: Fault): void {
  cluster.fail(disturbance, code);
}
