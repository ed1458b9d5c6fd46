import { Alert } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useSecret } from '../../api/queries.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { CurrentValuesContext } from '../../ui/current-values.ts';
import { NewerVersion } from '../../ui/newer-version.tsx';
import { OriginNotice } from '../../ui/origin-notice.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { WarningList } from '../../ui/warning-list.tsx';
import { When } from '../../ui/when.tsx';
import { RestartOffer, VALUES_CHANGED } from '../restart/restart-offer.tsx';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useCurrentValues } from './use-current-values.ts';
import { ValuesPanel } from './values-panel.tsx';

/** One Secret, and its values behind masks. */
export function DetailPage() {
  const { namespace = '', name = '' } = useParams();
  const query = useSecret({ namespace, name });
  const { whenCurrent, newer } = useCurrentValues(query);
  return (
    <QueryScreen query={query} what="the Secret" stale={{ alert: "Couldn't reload the Secret" }}>
      {(secret, alert) => (
        <CurrentValuesContext value={whenCurrent}>
          <Detail secret={secret} isReloading={query.isFetching} reload={() => void query.refetch()}>
            {alert}
            {secret.resourceVersion === newer && <NewerVersion secret={secret} />}
          </Detail>
        </CurrentValuesContext>
      )}
    </QueryScreen>
  );
}

interface DetailProps {
  readonly secret: SecretDetail;
  readonly isReloading: boolean;
  readonly reload: () => void;
  /** Alerts about the whole page. */
  readonly children: ReactNode;
}

function Detail({ secret, isReloading, reload, children }: DetailProps) {
  return (
    <SecretFrame
      secret={secret}
      summary={secret}
      tab="values"
      isReloading={isReloading}
      onReload={reload}
      alerts={
        <>
          {children}
          <ChangedJustNow secret={secret} />
          <Situation secret={secret} />
        </>
      }
    >
      {/* What was revealed of another state is hidden again. */}
      <ValuesPanel key={secret.resourceVersion} secret={secret} />
    </SecretFrame>
  );
}

/** The form that has just saved other values leads here with a word of it. */
function ChangedJustNow({ secret }: { readonly secret: SecretDetail }) {
  const location = useLocation();
  const navigate = useNavigate();
  if ((location.state as unknown) !== VALUES_CHANGED) return null;
  return <RestartOffer secret={secret} onDone={() => void navigate(location.pathname, { replace: true })} />;
}

/** What one should know before changing anything. */
function Situation({ secret }: { readonly secret: SecretDetail }) {
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
