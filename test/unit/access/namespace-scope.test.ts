import { describe, expect, it } from 'vitest';
import { createNamespaceScope, type NamespaceSelection } from '../../../src/access/namespace-scope.ts';

const SYSTEM = ['kube-node-lease', 'kube-public', 'kube-system'];
const inScope = (selection: NamespaceSelection, namespaces: readonly string[]) => {
  const scope = createNamespaceScope(selection);
  return namespaces.filter((namespace) => scope.contains(namespace));
};

describe('the scope', () => {
  it('* is every namespace but those of the system', () => {
    const everything = { everyNamespace: true, named: [] };
    expect(inScope(everything, ['a', 'default', 'kube-other', '__proto__', ...SYSTEM])).toEqual([
      'a',
      'default',
      'kube-other',
      '__proto__',
    ]);
    expect(createNamespaceScope(everything)).toMatchObject({
      named: undefined,
      watched: [{ without: SYSTEM }],
    });
  });

  it('*,kube-system is every namespace but the other two', () => {
    const selection = { everyNamespace: true, named: ['kube-system', 'a'] };
    expect(inScope(selection, ['a', 'b', ...SYSTEM])).toEqual(['a', 'b', 'kube-system']);
    expect(createNamespaceScope(selection).watched).toEqual([
      { without: ['kube-node-lease', 'kube-public'] },
    ]);
  });

  it('of all three and * watches the cluster without an exception', () => {
    expect(createNamespaceScope({ everyNamespace: true, named: SYSTEM }).watched).toEqual([{ without: [] }]);
  });

  it('of names is these names alone, system namespaces among them', () => {
    const selection = { everyNamespace: false, named: ['b', 'kube-system', 'a', 'a'] };
    expect(inScope(selection, ['a', 'b', 'c', 'A', '*', '', '__proto__', ...SYSTEM])).toEqual([
      'a',
      'b',
      'kube-system',
    ]);
    expect(createNamespaceScope(selection)).toMatchObject({
      named: ['a', 'b', 'kube-system'],
      watched: [{ namespace: 'a' }, { namespace: 'b' }, { namespace: 'kube-system' }],
    });
  });

  it('of no name contains nothing', () => {
    expect(inScope({ everyNamespace: false, named: [] }, ['a', ...SYSTEM])).toEqual([]);
  });

  it('refuses what is outside, naming no namespace', () => {
    const scope = createNamespaceScope({ everyNamespace: true, named: [] });
    expect(() => {
      scope.require('kube-system');
    }).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        reason: 'namespaceOutOfScope',
        message: 'This namespace is outside the scope of the service',
      }) as Error,
    );
    expect(() => {
      scope.require('a');
    }).not.toThrow();
  });
});
