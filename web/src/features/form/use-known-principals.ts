import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { secretsIn } from '../../api/list-reader.ts';
import { useMe, useNamespaceAccess } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretList } from '../../api/secrets-api.ts';
import { idOf, sharesOf, type Principal } from '../../editing/sharing.ts';

/** Lists may have thousands of Secrets, with groups of their own each. */
const MOST_KNOWN = 1_000;

/** Groups and people who are known here: mine, those of the namespace's rules, and those of other Secrets of this tab. */
export function useKnownPrincipals(namespace: string): readonly Principal[] {
  const queries = useQueryClient();
  const { data: me } = useMe();
  const { data: within } = useNamespaceAccess(namespace);
  return useMemo(() => {
    const known = new Map<string, Principal>();
    const add = (principals: readonly Principal[]) => {
      for (const one of principals) if (known.size < MOST_KNOWN) known.set(idOf(one), one);
    };
    if (me !== undefined) {
      add(me.groups.map((entry) => ({ kind: 'groups', entry })));
      add([{ kind: 'users', entry: me.email }]);
    }
    if (within?.namespaceRules?.state === 'rules') add(sharesOf(within.namespaceRules));
    const lists = queries.getQueriesData<SecretList | { readonly pages: readonly SecretList[] }>({
      queryKey: queryKeys.lists(),
    });
    for (const secret of lists.flatMap(([, data]) => secretsIn(data))) {
      if (known.size >= MOST_KNOWN) break;
      add(sharesOf(secret));
    }
    return [...known.values()];
  }, [queries, me, within]);
}
