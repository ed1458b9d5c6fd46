import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { createReflectors } from '../../../src/app/reflectors.ts';
import type { ServiceParts } from '../../../src/app/parts.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { PlainTable } from '../../../src/informers/object-store.ts';
import type { ReflectorOptions } from '../../../src/informers/reflector.ts';
import { createScriptedSource, page, type Thing } from '../informers/scripted-source.ts';

type Options = ReflectorOptions<Thing, PlainTable<Thing>>;
const made = vi.hoisted((): Options[] => []);
vi.mock('../../../src/informers/reflector.ts', () => ({
  createReflector: (options: Options) => {
    made.push(options);
    return { drop: () => undefined };
  },
}));

it('each scope reads the revision of the storage itself: the first one may be forbidden', async () => {
  const [forbidden, allowed] = [createScriptedSource(() => 0), createScriptedSource(() => 0)];
  forbidden.pages = [new ServiceError('rbacForbidden', 'no right')];
  allowed.pages = [page(30, [])];
  const parts = { metrics: { onExpose: () => undefined }, events: new EventEmitter() };
  createReflectors<Thing, PlainTable<Thing>>(parts as unknown as ServiceParts, {
    informer: 'things',
    scopes: [{ namespace: 'team-a' }, { namespace: 'team-b' }],
    sourceOf: ({ namespace }) => (namespace === 'team-a' ? forbidden : allowed),
    createTable: () => new PlainTable<Thing>(),
    onChange: () => undefined,
  });
  const { signal } = new AbortController();
  expect(await Promise.all(made.map(async ({ probe }) => await probe?.(signal)))).toEqual([undefined, '30']);
});
