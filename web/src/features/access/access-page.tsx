import { Label, Title } from '@patternfly/react-core';
import { useParams } from 'react-router';
import { useMe } from '../../api/queries.ts';
import type { SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { hasRules } from '../../../../src/contract/access-rules.ts';
import { editPath } from '../../paths.ts';
import { Facts } from '../../ui/facts.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { ACCESS_WORDS } from '../../words/access.ts';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useSummary } from '../secret/use-summary.ts';
import { reasonFor } from './reason.ts';
import { ACCESS_PAGE_WORDS } from '../../words/access.ts';

/** Who has access to a Secret, in words, and why the reader does. */
export function AccessPage() {
  const { namespace = '', name = '' } = useParams();
  const secret = { namespace, name };
  const query = useSummary(secret);
  const { data: me } = useMe();
  return (
    <QueryScreen
      query={query}
      what={ACCESS_PAGE_WORDS.theRules}
      stale={{ alert: ACCESS_PAGE_WORDS.reloadFailed }}
    >
      {(summary, alert) => (
        <SecretFrame
          secret={secret}
          summary={summary}
          tab="access"
          isReloading={query.isFetching}
          onReload={() => void query.refetch()}
          alerts={alert}
        >
          <Rules secret={summary} />
          {me !== undefined && <Reason me={me} secret={summary} />}
        </SecretFrame>
      )}
    </QueryScreen>
  );
}

function Rules({ secret }: { readonly secret: SecretSummary }) {
  const { namespace, allowedGroups, allowedUsers } = secret;
  return (
    <>
      <Title headingLevel="h2">{ACCESS_WORDS.whoHas}</Title>
      <ul className="access-list" aria-label={ACCESS_WORDS.whoHas}>
        {!hasRules(secret) && <li>{ACCESS_WORDS.everyone(namespace)}</li>}
        {allowedGroups.map((group, index) => (
          <li key={`group ${index}`}>
            {ACCESS_WORDS.groupMembers} <strong>{group}</strong>
          </li>
        ))}
        {allowedUsers.map((user, index) => (
          <li key={`user ${index}`}>{user}</li>
        ))}
        <li>{ACCESS_WORDS.admins}</li>
      </ul>
      {!hasRules(secret) && <p className="hint">{ACCESS_WORDS.namespaceRules}</p>}
      <LinkButton to={`${editPath(secret)}#access`}>{ACCESS_WORDS.change}</LinkButton>
    </>
  );
}

function Reason({ me, secret }: { readonly me: SessionUser; readonly secret: SecretSummary }) {
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        {ACCESS_WORDS.why}
      </Title>
      <p>{reasonFor(me, secret)}</p>
      <Facts facts={[{ term: ACCESS_WORDS.yourGroups, description: <Groups groups={me.groups} /> }]} />
    </>
  );
}

function Groups({ groups }: Pick<SessionUser, 'groups'>) {
  if (groups.length === 0) return ACCESS_WORDS.noGroups;
  return (
    <span className="labels">
      {groups.map((group) => (
        <Label key={group} isCompact>
          <span className="whole-name">{group}</span>
        </Label>
      ))}
    </span>
  );
}
