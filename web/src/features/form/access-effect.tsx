import { Alert } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { hasAnyList, hasRules, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { useNamespaceAccess } from '../../api/queries.ts';
import { accessChanges, idOf, LEVEL_LABELS, loses } from '../../editing/sharing.ts';
import { SmallTable } from '../../ui/small-table.tsx';

export interface AccessEffectProps {
  readonly before: AccessRules;
  readonly after: AccessRules;
  readonly namespace: string;
}

/** A namespace may name thousands. */
const MOST = 50;

/** What a change of the rules means: for each group and person today and after, and for those whom no list names. */
export function AccessEffect({ before, after, namespace }: AccessEffectProps) {
  const { data: within } = useNamespaceAccess(namespace);
  const rules = within?.namespaceRules;
  const changes = accessChanges(before, after, rules);
  const effect = effectOf(before, after);
  // Where the rules of the namespace are known, the table has everyone who loses something by the first list.
  const isKnown = rules?.state === 'rules' || rules?.state === 'open';
  const isEmpty = isKnown && effect !== 'opened' && !changes.some(loses);
  return (
    <>
      {effect !== undefined && !isEmpty && (
        <Alert isInline variant={EFFECTS[effect].variant} component="h2" title={EFFECTS[effect].title}>
          <p>{EFFECTS[effect].text(namespace)}</p>
        </Alert>
      )}
      {changes.length > 0 && (
        <SmallTable
          label="Who can use it"
          columns={['Group or person', 'Today', 'After']}
          widths={['auto', '9rem', '9rem']}
        >
          {changes.slice(0, MOST).map(({ who, before, after }) => (
            <Tr key={who === undefined ? '' : idOf(who)}>
              <Th scope="row">{who?.entry ?? 'Everyone who can sign in'}</Th>
              <Td dataLabel="Today">{LEVEL_LABELS[before]}</Td>
              <Td dataLabel="After">{LEVEL_LABELS[after]}</Td>
            </Tr>
          ))}
          {changes.length > MOST && (
            <Tr>
              <Td colSpan={3}>and {changes.length - MOST} more</Td>
            </Tr>
          )}
        </SmallTable>
      )}
    </>
  );
}

const EFFECTS = {
  closed: {
    variant: 'warning',
    title: 'Others lose access',
    text: (namespace: string) =>
      `So far, everyone with access to the namespace ${namespace} has access to this Secret. After you save, only the people in the lists and administrators have access.`,
  },
  opened: {
    variant: 'warning',
    title: 'Others gain access',
    text: (namespace: string) =>
      `After you save, everyone who can manage Secrets in the namespace ${namespace} can manage this Secret.`,
  },
  ownLists: {
    variant: 'info',
    title: 'Some people may lose access',
    text: (namespace: string) =>
      `People who can only read or write in the namespace ${namespace} lose access, unless these lists name them. Those who can manage there keep it.`,
  },
} as const;

function effectOf(before: AccessRules, after: AccessRules): keyof typeof EFFECTS | undefined {
  if (hasRules(before) !== hasRules(after)) return hasRules(after) ? 'closed' : 'opened';
  return hasAnyList(before) || !hasAnyList(after) ? undefined : 'ownLists';
}
