import { Alert, Button, Title } from '@patternfly/react-core';
import { useState, type ReactNode } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useConfig, useSecret } from '../../api/queries.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { OriginNotice } from '../../ui/origin-notice.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { When } from '../../ui/when.tsx';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { CurrentValuesContext } from '../../ui/current-values.ts';
import { NewerVersion } from '../../ui/newer-version.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { BinaryValue } from './binary-value.tsx';
import { DeleteDialog } from '../delete/delete-dialog.tsx';
import { useCurrentValues } from './use-current-values.ts';
import { SecretFacts } from './secret-facts.tsx';
import { TextValue } from './text-value.tsx';
import { StateLabels } from '../../ui/state-labels.tsx';
import { WarningList } from '../../ui/warning-list.tsx';
import { RestartDialog } from '../restart/restart-dialog.tsx';
import { RestartOffer, VALUES_CHANGED } from '../restart/restart-offer.tsx';
import { editPath, historyPath, listPath } from '../../paths.ts';

/** One Secret: its facts, and its values behind masks. */
export function DetailPage() {
  const { namespace = '', name = '' } = useParams();
  const query = useSecret({ namespace, name });
  const { whenCurrent, newer } = useCurrentValues(query);
  return (
    <QueryScreen query={query} what="the Secret" stale={{ alert: "Couldn't reload the Secret" }}>
      {(secret, alert) => (
        <CurrentValuesContext value={whenCurrent}>
          <Detail key={secret.resourceVersion} secret={secret} reload={() => void query.refetch()}>
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
  readonly reload: () => void;
  /** Alerts about the whole page. */
  readonly children: ReactNode;
}

function Detail({ secret, reload, children }: DetailProps) {
  const [deleting, setDeleting] = useState(false);
  const { namespace, name } = secret;
  return (
    <Screen
      title={name}
      crumbs={[{ text: 'Namespaces', to: '/' }, { text: namespace, to: listPath(namespace) }, { text: name }]}
      aside={<Actions secret={secret} reload={reload} onDelete={() => setDeleting(true)} />}
    >
      {children}
      <ChangedJustNow secret={secret} />
      <StateLabels secret={secret} />
      <Situation secret={secret} />
      <SecretFacts secret={secret} />
      <Title headingLevel="h2" className="section-title">
        Values
      </Title>
      {secret.keyCount === 0 && <p className="absent">This Secret has no keys.</p>}
      <ul className="values" aria-label="Values">
        {[...secret.text].map(([key, value]) => (
          <TextValue key={key} name={key} value={value} />
        ))}
        {[...secret.binary].map(([key, base64]) => (
          <BinaryValue key={key} name={key} base64={base64} />
        ))}
      </ul>
      {deleting && (
        <DeleteDialog
          secret={secret}
          onClose={() => setDeleting(false)}
          onReload={() => {
            setDeleting(false);
            reload();
          }}
        />
      )}
    </Screen>
  );
}

interface ActionsProps {
  readonly secret: SecretDetail;
  readonly reload: () => void;
  readonly onDelete: () => void;
}

function Actions({ secret, reload, onDelete }: ActionsProps) {
  const { data } = useConfig();
  const [restarting, setRestarting] = useState(false);
  return (
    <div className="actions">
      {!isServiceAccountToken(secret.type) && (
        <LinkButton to={editPath(secret)} variant="primary">
          Edit
        </LinkButton>
      )}
      <LinkButton to={historyPath(secret)}>History</LinkButton>
      {data?.restartEnabled === true && (
        <Button variant="secondary" onClick={() => setRestarting(true)}>
          Restart workloads
        </Button>
      )}
      <Button variant="danger" onClick={onDelete}>
        Delete
      </Button>
      <ReloadButton label="Reload this Secret" onClick={reload} />
      {restarting && <RestartDialog secret={secret} onClose={() => setRestarting(false)} />}
    </div>
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
            Deleted <When time={secret.deletionTimestamp} relative />. It goes when whoever holds it with a
            finalizer lets it go; until then it is still there.
          </p>
        </Alert>
      )}
      {isServiceAccountToken(secret.type) && (
        <Alert isInline variant="info" component="h2" title="The cluster manages this token">
          <p>Service account tokens can be deleted here, but not changed.</p>
        </Alert>
      )}
      <WarningList texts={secret.warnings} />
      {!isServiceAccountToken(secret.type) && <OriginNotice secret={secret} />}
    </div>
  );
}
