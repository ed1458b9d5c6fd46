import { Alert } from '@patternfly/react-core';
import { useCallback, useMemo, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useDescribedSecret } from '../../api/queries.ts';
import type { DescribedSecret, SecretRef } from '../../api/secrets-api.ts';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { usePlainKeys } from '../../places/use-places.ts';
import { NewerVersion } from '../../ui/newer-version.tsx';
import { OriginNotice } from '../../ui/origin-notice.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { WarningList } from '../../ui/warning-list.tsx';
import { When } from '../../ui/when.tsx';
import { RestartOffer, VALUES_CHANGED } from '../restart/restart-offer.tsx';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { readsOf } from '../../api/revision-reads.ts';
import { ValuesPanel } from './values-panel.tsx';
import { useApi } from '../../api/api-context.ts';
import { ApiError } from '../../api/http-client.ts';
import { NewerVersionError } from '../../api/unread-value.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';

/** One Secret, and its values behind masks. */
export function DetailPage() {
  const { namespace = '', name = '' } = useParams();
  const query = useDescribedSecret({ namespace, name });
  const plain = usePlainKeys({ namespace, name });
  const { shown, newer } = useLiveValues({ namespace, name }, query);
  return (
    <QueryScreen query={query} what="the Secret" stale={{ alert: "Couldn't reload the Secret" }}>
      {(secret, alert) => (
        <SecretFrame
          secret={secret}
          summary={secret}
          tab="values"
          isReloading={query.isFetching}
          onReload={() => void query.refetch()}
          alerts={
            <>
              {alert}
              {secret.resourceVersion === newer && <NewerVersion secret={secret} />}
              <ChangedJustNow secret={secret} />
              <Situation secret={secret} />
            </>
          }
        >
          {/* What was revealed of another state is hidden again. */}
          {shown !== undefined && <ValuesPanel key={secret.resourceVersion} secret={shown} plain={plain} />}
        </SecretFrame>
      )}
    </QueryScreen>
  );
}

/** The form that has just saved other values leads here with a word of it. */
function ChangedJustNow({ secret }: { readonly secret: DescribedSecret }) {
  const location = useLocation();
  const navigate = useNavigate();
  if ((location.state as unknown) !== VALUES_CHANGED) return null;
  const { search } = location;
  return <RestartOffer secret={secret} onDone={() => void navigate({ search }, { replace: true })} />;
}

/** What one should know before changing anything. */
function Situation({ secret }: { readonly secret: DescribedSecret }) {
  return (
    <div className="situation">
      {secret.deletionTimestamp !== undefined && (
        <Alert isInline variant="warning" component="h2" title="Deletion started, waiting for finalizers">
          <p>
            Deleted <When time={secret.deletionTimestamp} relative />. It stays until its finalizers are
            removed.
          </p>
        </Alert>
      )}
      {isServiceAccountToken(secret.type) && (
        <Alert isInline variant="info" component="h2" title="The cluster manages this token">
          <p>Service account tokens can be deleted here, but not changed.</p>
        </Alert>
      )}
      <WarningList texts={secret.warnings} />
      {!isServiceAccountToken(secret.type) && <OriginNotice secret={secret} overwritesOnly />}
    </div>
  );
}

type Query = Pick<ReturnType<typeof useDescribedSecret>, 'data' | 'refetch'>;

/**
 * Reads values of a Secret, and the Secret again when someone returns to it, or when a value shows that it has
 * changed: what was on the page by then is never shown with the values of another version.
 */
function useLiveValues({ namespace, name }: SecretRef, { data, refetch }: Query) {
  const api = useApi();
  const [newer, setNewer] = useState<string>();
  const revision = data?.resourceVersion;
  const reload = useCallback(async () => {
    const now = await refetch({ cancelRefetch: false });
    const found = now.isError ? undefined : now.data?.resourceVersion;
    if (revision !== undefined && found !== undefined && found !== revision) setNewer(found);
  }, [refetch, revision]);
  const reads = useMemo(() => {
    const onError = async (error: unknown) => {
      // Without access, without this key, deleted or newer: the page shows which.
      const isOther = error instanceof ApiError && [403, 404].includes(error.status);
      if (isOther || error instanceof NewerVersionError) await reload();
    };
    return readsOf(api, { namespace, name }, { resourceVersion: revision, onError });
  }, [api, namespace, name, revision, reload]);
  useOnReturn(useCallback(() => void reload(), [reload]));
  const shown = useMemo(() => data && { ...data, ...reads }, [data, reads]);
  return { shown, newer };
}
