import { useParams } from 'react-router';
import { useMemo } from 'react';
import { useApi } from '../../api/api-context.ts';
import { useDescribedSecret, useNamespaces } from '../../api/queries.ts';
import type { DescribedSecret } from '../../api/secrets-api.ts';
import { storedSecret, type StoredSecret } from '../../editing/stored-secret.ts';
import { NoForm } from '../../ui/no-form.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { CopyForm } from './copy-form.tsx';

/** A copy under another name or in another namespace. The values are read for it, and are never in an address. */
export function CopyPage() {
  const { namespace = '', name = '' } = useParams();
  const query = useDescribedSecret({ namespace, name });
  const namespaces = useNamespaces();
  const isReady = query.data !== undefined && namespaces.data !== undefined;
  const both = { ...query, data: isReady ? query.data : undefined, error: query.error ?? namespaces.error };
  return (
    <QueryScreen query={both} what="the Secret" stale="shown">
      {(secret) => (
        <Screen>
          <Content described={secret} targets={targetsOf(namespaces.data)} />
        </Screen>
      )}
    </QueryScreen>
  );
}

function targetsOf(namespaces: ReturnType<typeof useNamespaces>['data'] = []): readonly string[] {
  return namespaces.filter(({ canCreate }) => canCreate).map(({ name }) => name);
}

interface ContentProps {
  readonly described: DescribedSecret;
  /** Where the reader can create Secrets. */
  readonly targets: readonly string[];
}

function Content({ described, targets }: ContentProps) {
  const api = useApi();
  const secret = useMemo(() => storedSecret(api, described), [api, described]);
  const obstacle = obstacleOf(secret, targets);
  if (obstacle === undefined) return <CopyForm secret={secret} targets={targets} />;
  return (
    <NoForm secret={secret} title="This Secret cannot be copied">
      {obstacle}
    </NoForm>
  );
}

function obstacleOf({ type }: StoredSecret, targets: readonly string[]): string | undefined {
  if (isServiceAccountToken(type)) {
    return 'The cluster makes service account tokens itself, one for each service account.';
  }
  return targets.length === 0
    ? 'You cannot create Secrets in any namespace. Contact an administrator.'
    : undefined;
}
