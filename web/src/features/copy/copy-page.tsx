import { Alert } from '@patternfly/react-core';
import { useParams } from 'react-router';
import { useNamespaces, useSecret } from '../../api/queries.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { detailPath, listPath } from '../../paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { COPY_WORDS } from '../../words/copy.ts';
import { CopyForm } from './copy-form.tsx';

/** A copy under another name or in another namespace. The values are read here, and are never in an address. */
export function CopyPage() {
  const { namespace = '', name = '' } = useParams();
  const query = useSecret({ namespace, name });
  const namespaces = useNamespaces();
  const isReady = query.data !== undefined && namespaces.data !== undefined;
  const both = { ...query, data: isReady ? query.data : undefined, error: query.error ?? namespaces.error };
  return (
    <QueryScreen query={both} what={COPY_WORDS.what} stale="shown">
      {(secret) => (
        <Screen
          title={COPY_WORDS.title(name)}
          crumbs={[
            { text: COPY_WORDS.namespaces, to: '/' },
            { text: namespace, to: listPath(namespace) },
            { text: name, to: detailPath(secret) },
            { text: COPY_WORDS.crumb },
          ]}
        >
          <Content secret={secret} targets={targetsOf(namespaces.data)} />
        </Screen>
      )}
    </QueryScreen>
  );
}

function targetsOf(namespaces: ReturnType<typeof useNamespaces>['data'] = []): readonly string[] {
  return namespaces.filter(({ canCreate }) => canCreate).map(({ name }) => name);
}

interface ContentProps {
  readonly secret: SecretDetail;
  /** Where the reader can create Secrets. */
  readonly targets: readonly string[];
}

function Content({ secret, targets }: ContentProps) {
  const obstacle = obstacleOf(secret, targets);
  if (obstacle === undefined) return <CopyForm secret={secret} targets={targets} />;
  return (
    <>
      <Alert isInline variant="info" component="h2" title={COPY_WORDS.notPossible}>
        <p>{obstacle}</p>
      </Alert>
      <div className="actions form-end">
        <LinkButton to={detailPath(secret)}>{COPY_WORDS.back}</LinkButton>
      </div>
    </>
  );
}

function obstacleOf({ type, binary }: SecretDetail, targets: readonly string[]): string | undefined {
  if (isServiceAccountToken(type)) return COPY_WORDS.token;
  if (binary.size > 0) return COPY_WORDS.binary([...binary.keys()].join(', '));
  return targets.length === 0 ? COPY_WORDS.nowhere : undefined;
}
