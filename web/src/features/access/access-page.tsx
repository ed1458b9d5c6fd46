import { Title, Label } from '@patternfly/react-core';
import { useParams } from 'react-router';
import { useExplanation, useMe } from '../../api/queries.ts';
import type { Explanation, SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import {
  hasAnyList,
  hasRules,
  ACCESS_LEVELS,
  LISTS_OF,
  type AccessRules,
} from '../../../../src/contract/access-rules.ts';
import { allowsChange } from '../../editing/secret-types.ts';
import { restOf, LEVEL_LABELS } from '../../editing/sharing.ts';
import { editPath } from '../../paths.ts';
import { Facts } from '../../ui/facts.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Groups } from '../../ui/no-access.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useSummary } from '../secret/use-summary.ts';
import { levelWords, reasonsFor } from './reason.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { SlowStatus } from '../../ui/slow.tsx';
import { Fragment } from 'react';
import { emailKey } from '../../../../src/contract/email.ts';
import { When } from '../../ui/when.tsx';
import { formatNumber } from '../../values/format.ts';

/** Who has access to a Secret, in words, and why the reader does. */
export function AccessPage() {
  const { namespace = '', name = '' } = useParams();
  const secret = { namespace, name };
  const query = useSummary(secret);
  const why = useExplanation(secret);
  const { data: me } = useMe();
  const reload = () => void Promise.all([query.refetch(), why.refetch()]);
  useOnReturn(reload);
  return (
    <QueryScreen query={query} what="the access rules" stale={{ alert: "Couldn't reload the access rules" }}>
      {(summary, alert) => (
        <SecretFrame
          secret={secret}
          summary={summary}
          tab="access"
          isReloading={query.isFetching || why.isFetching}
          onReload={reload}
          alerts={alert}
        >
          <Rules secret={summary} me={me} explanation={why.data} />
          {me !== undefined && <Reason me={me} secret={summary} explanation={why.data} />}
          <NamespaceRules secret={summary} me={me} explanation={why.data} error={why.error} />
        </SecretFrame>
      )}
    </QueryScreen>
  );
}

interface PartProps {
  readonly secret: SecretSummary;
  readonly me: SessionUser | undefined;
  readonly explanation: Explanation | undefined;
}

function Rules({ secret, me, explanation }: PartProps) {
  const rest = restOf(secret, secret.namespace);
  const isOpen = explanation?.namespaceRules.state === 'open';
  return (
    <>
      <Title headingLevel="h2">Who has access</Title>
      <RuleList
        rules={secret}
        label="Who has access"
        me={me}
        first={isOpen ? rest && 'Everyone who can sign in can manage' : rest}
        machines={explanation?.machines}
        isAdmin={explanation?.by === 'admin'}
      />
      {!hasAnyList(secret) && (
        <p className="hint">This Secret has no rules of its own, so those of the namespace decide.</p>
      )}
      {allowsChange(explanation?.level, 'manage', secret.type) && (
        <LinkButton to={`${editPath(secret)}#access`}>Change access</LinkButton>
      )}
    </>
  );
}

function Reason({ me, secret, explanation }: PartProps & { readonly me: SessionUser }) {
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        Why you have access
      </Title>
      <p>{reasonsFor(me, secret, explanation).join(' ')}</p>
      {explanation !== undefined && explanation.level !== 'none' && (
        <p>{levelWords(explanation.level, secret.type)}</p>
      )}
      <Facts facts={[{ term: 'Your groups', description: <Groups of={me} /> }]} />
    </>
  );
}

const STATES = {
  hidden: "You can't see them, because they don't name you or your groups.",
  unusable: "They are invalid or can't be read. Until that is fixed, only administrators have access.",
};

/** The rules of the namespace, as far as the reader may know them, and what they are for. */
function NamespaceRules({ explanation, error, ...whose }: PartProps & { readonly error: unknown }) {
  const title = `Rules of the namespace ${whose.secret.namespace}`;
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        {title}
      </Title>
      {explanation !== undefined && <Known rules={explanation.namespaceRules} {...whose} title={title} />}
      {explanation === undefined && error !== null && (
        <ProblemAlert title="Couldn't load the rules of the namespace" error={error} />
      )}
      {explanation === undefined && error === null && (
        <>
          <p>Loading the rules of the namespace…</p>
          <SlowStatus what="the rules of the namespace" />
        </>
      )}
    </>
  );
}

interface KnownProps extends Pick<PartProps, 'secret' | 'me'> {
  readonly rules: Explanation['namespaceRules'];
  readonly title: string;
}

function Known({ rules, secret, me, title }: KnownProps) {
  if (rules.state === 'open') {
    return <p>There are none: everyone who can sign in has access to Secrets without rules of their own.</p>;
  }
  return (
    <>
      <p>
        {hasRules(secret)
          ? 'They decide who can create Secrets here. This Secret has rules of its own. Administrators set them.'
          : 'They decide who has access to this Secret. Administrators set them.'}
      </p>
      {rules.state === 'rules' ? (
        <RuleList rules={rules} label={title} me={me} />
      ) : (
        <p>{STATES[rules.state]}</p>
      )}
    </>
  );
}

/** Of each list. The rules of a namespace may have thousands. */
const MOST = 200;

interface RuleListProps {
  readonly rules: AccessRules;
  readonly label: string;
  /** Whose entries are marked. */
  readonly me: SessionUser | undefined;
  /** Whom everything lets in, before those who are named. */
  readonly first?: string | undefined;
  readonly machines?: Explanation['machines'];
  /** Left out: the administrators are not mentioned. */
  readonly isAdmin?: boolean;
}

/** Rules in words, with a label at those that name the reader. */
export function RuleList({ rules, label, me, first, machines = [], isAdmin }: RuleListProps) {
  const mine = new Set(me?.groups);
  const email = emailKey(me?.email ?? '');
  return (
    <ul className="access-list" aria-label={label}>
      {first !== undefined && <li>{first}</li>}
      {ACCESS_LEVELS.toReversed().map((level) => (
        <Fragment key={level}>
          <Entries
            entries={rules[LISTS_OF[level].groups] ?? []}
            isMine={(group) => mine.has(group)}
            words={LEVEL_LABELS[level]}
            of="Members of the group "
          />
          <Entries
            entries={rules[LISTS_OF[level].users] ?? []}
            isMine={(user) => emailKey(user) === email}
            words={LEVEL_LABELS[level]}
          />
        </Fragment>
      ))}
      {machines.slice(0, MOST).map(({ name, issuer, level, lastSeenAt }) => (
        <li key={name}>
          Machine <bdi>{name}</bdi> of <bdi>{issuer}</bdi> {LEVEL_LABELS[level]}
          {lastSeenAt !== undefined && (
            <>
              , last seen <When time={lastSeenAt} />
            </>
          )}
        </li>
      ))}
      <More count={machines.length - MOST} />
      {isAdmin !== undefined && <li>Administrators can manage {isAdmin && <You />}</li>}
    </ul>
  );
}

interface EntriesProps {
  readonly entries: readonly string[];
  readonly isMine: (entry: string) => boolean;
  readonly words: string;
  readonly of?: string;
}

function Entries({ entries, isMine, words, of = '' }: EntriesProps) {
  return (
    <>
      {entries.slice(0, MOST).map((entry, index) => (
        <li key={index}>
          {of}
          <bdi>{entry}</bdi> {words} {isMine(entry) && <You />}
        </li>
      ))}
      <More count={entries.length - MOST} />
    </>
  );
}

function You() {
  return (
    <Label isCompact color="blue">
      You
    </Label>
  );
}

const More = ({ count }: { readonly count: number }) => count > 0 && <li>and {formatNumber(count)} more</li>;
