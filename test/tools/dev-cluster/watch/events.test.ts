import { describe, expect, it } from 'vitest';
import { type ApiObject } from '../../../../hack/dev-cluster/api/object.ts';
import { type Change } from '../../../../hack/dev-cluster/store/history.ts';
import { eventOf } from '../../../../hack/dev-cluster/watch/events.ts';
import { stored } from '../objects.ts';

const IN = stored('a', { selected: true, state: 'in' }, { resourceVersion: '1' });
const OUT = stored('a', { selected: false, state: 'out' }, { resourceVersion: '1' });
const matches = (object: ApiObject): boolean => object['selected'] === true;
const change = (type: Change['type'], object: ApiObject, previous: ApiObject | undefined): Change => ({
  type,
  revision: 9,
  resource: 'secrets',
  key: 'default/a',
  object,
  previous,
});

describe('what a watch with a selector makes of a change', () => {
  it.each<readonly [string, Change, string | undefined, string | undefined]>([
    ['a new object inside', change('ADDED', IN, undefined), 'ADDED', 'in'],
    ['a new object outside', change('ADDED', OUT, undefined), undefined, undefined],
    ['a change inside', change('MODIFIED', IN, IN), 'MODIFIED', 'in'],
    ['a change outside', change('MODIFIED', OUT, OUT), undefined, undefined],
    ['an object that enters', change('MODIFIED', IN, OUT), 'ADDED', 'in'],
    ['an object that leaves: its last state inside', change('MODIFIED', OUT, IN), 'DELETED', 'in'],
    ['a deletion inside', change('DELETED', IN, IN), 'DELETED', 'in'],
    ['a deletion outside', change('DELETED', OUT, OUT), undefined, undefined],
  ])('%s', (_title, given, type, state) => {
    const event = eventOf(given, matches);
    expect([event?.type, event?.object['state']]).toEqual([type, state]);
  });

  it('gives an object that leaves the revision of the change', () => {
    expect(eventOf(change('MODIFIED', OUT, IN), matches)?.object.metadata.resourceVersion).toBe('9');
  });
});
