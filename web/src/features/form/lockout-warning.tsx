import { Alert } from '@patternfly/react-core';
import { useMe } from '../../api/queries.ts';
import { isExcluded, type AccessRules } from '../../../../src/contract/access-rules.ts';

/** Warns before someone saves rules that may end their own access. */
export function LockoutWarning({ rules }: { readonly rules: AccessRules }) {
  const { data: me } = useMe();
  if (me === undefined || !isExcluded(me, rules)) return null;
  return (
    <Alert isInline variant="warning" component="h2" title="You may lose access">
      <p>
        The rules do not include you or any of your groups. Unless you are an administrator of this service,
        you will no longer be able to see or change this Secret.
      </p>
    </Alert>
  );
}
