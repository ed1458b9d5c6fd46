import { Button, EmptyStateActions, Label, TextArea } from '@patternfly/react-core';
import { Empty } from './empty.tsx';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { includesLevel, type AccessLevel } from '../../../src/contract/access-rules.ts';
import { useConfig, useMe, useNamespaceAccess } from '../api/queries.ts';
import type { OwnAccess, SessionUser } from '../api/secrets-api.ts';
import { sharesOf } from '../editing/sharing.ts';
import { listPath } from '../paths.ts';
import { Done, useDone } from './done-note.tsx';
import { firstOf } from '../values/format.ts';

export interface NoAccessProps {
  readonly title?: string;
  /** The level that is missing. */
  readonly wanted?: AccessLevel;
  readonly children?: ReactNode;
}

/** Someone has no access to what the address names: what they have, what would give it, and a request to send. */
export function NoAccess({ title = "You don't have access", wanted = 'read', children }: NoAccessProps) {
  const { namespace, name } = useParams();
  const { data: me } = useMe();
  return (
    <Empty
      title={title}
      icon={LockIcon}
      body={
        <>
          {children}
          {namespace !== undefined && me !== undefined && <Request {...{ namespace, name, me, wanted }} />}
        </>
      }
    >
      <EmptyStateActions>
        <WayUp />
      </EmptyStateActions>
    </Empty>
  );
}

interface Wanted {
  readonly namespace: string;
  readonly name: string | undefined;
  readonly me: SessionUser;
  readonly wanted: AccessLevel;
}

function Request(props: Wanted) {
  const { namespace, name, me, wanted } = props;
  const { data: within, error } = useNamespaceAccess(namespace);
  const contact = useConfig().data?.accessContact;
  const { note, copy } = useDone();
  // No rule gives access to what is outside the scope of the service, or does not exist.
  const isHopeless = name === undefined && includesLevel(within?.level ?? 'none', wanted);
  if (error !== null || isHopeless) return null;
  const text = requestOf(props);
  return (
    <div className="access-request">
      {within !== undefined && <p>{whatGives(props, within)}</p>}
      <p>
        {me.groups.length > 0 && 'Your groups: '}
        <Groups of={me} />
      </p>
      <p>{contact === undefined ? `Send this to ${whoGives(props)}:` : 'Send this to the access desk:'}</p>
      <TextArea
        aria-label="Request for access"
        readOnlyVariant="default"
        rows={3}
        resizeOrientation="vertical"
        value={text}
      />
      <p className="row-actions">
        {contact !== undefined && (
          <Button component="a" href={hrefOf(contact, text)} target="_blank" rel="noreferrer">
            {isEmail(contact) ? `Email ${contact}` : 'Open the access desk'}
          </Button>
        )}
        <Button variant="secondary" onClick={() => copy(text, 'Copied.')}>
          Copy request
        </Button>
        <Done note={note} />
      </p>
    </div>
  );
}

/** More would not be read. */
const NAMED = 8;

/** What would give access, as far as one may know it. */
function whatGives({ namespace, name, wanted }: Wanted, { namespaceRules: rules }: OwnAccess): ReactNode {
  const ofOthers = 'include neither you nor your groups.';
  const state = rules?.state;
  if (name !== undefined && (state === 'open' || state === 'rules')) {
    const who = state === 'open' ? 'Everyone who can sign in has' : 'You have';
    return `${who} access to the namespace ${namespace}, but this Secret has rules of its own, which ${ofOthers}`;
  }
  if (rules?.state !== 'rules') {
    const whose = name === undefined ? '' : ' of this Secret and those';
    return `The rules${whose} of the namespace ${namespace} ${ofOthers}`;
  }
  const able = sharesOf(rules).filter(({ level }) => includesLevel(level, wanted));
  const names = able.map(({ entry }) => entry);
  return (
    <>
      Groups and people who can {wanted} in the namespace {namespace}: <bdi>{firstOf(names, NAMED)}</bdi>.
    </>
  );
}

const whoGives = ({ name }: Wanted) =>
  name === undefined ? 'an administrator' : 'an owner of the Secret or to an administrator';

function requestOf({ me: { email, groups }, namespace, name, wanted }: Wanted): string {
  const what =
    name === undefined ? `the namespace ${namespace}` : `the Secret ${name} in the namespace ${namespace}`;
  const member = groups.length === 0 ? 'in no group' : `in the groups ${groups.join(', ')}`;
  return `Please give me ${wanted} access to ${what}.\nI am ${email} and ${member}.`;
}

const isEmail = (contact: string) => !contact.startsWith('https:');

function hrefOf(contact: string, text: string): string {
  if (!isEmail(contact)) return contact;
  const query = `subject=${encodeURIComponent('Access to Secrets')}&body=${encodeURIComponent(text)}`;
  return `mailto:${encodeURIComponent(contact).replace('%40', '@')}?${query}`;
}

export function Groups({ of: { groups } }: { readonly of: SessionUser }) {
  if (groups.length === 0) return "You're not in any group.";
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

/** One step up from where something could not be shown, so that no one is stuck. */
export function WayUp() {
  const { pathname } = useLocation();
  const { namespace, name } = useParams();
  if (pathname === '/') return null;
  const isSecret = namespace !== undefined && name !== undefined;
  if (isSecret) return <Link to={listPath(namespace)}>Show Secrets in {namespace}</Link>;
  return <Link to="/">Show namespaces</Link>;
}
