import { Divider, Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import UserIcon from '@patternfly/react-icons/dist/esm/icons/user-icon';
import { useState } from 'react';
import { useIsAdmin } from '../api/queries.ts';
import type { SessionUser } from '../api/secrets-api.ts';
import { switchTheme, themeLabel } from '../ui/theme.ts';
import { formatNumber } from '../values/format.ts';
import { useQueryClient } from '@tanstack/react-query';
import { PAGE_ROUTES } from '../../../src/contract/page-routes.ts';
import { useApi } from '../api/api-context.ts';
import { useSessionWatch } from '../api/session-watch.ts';
import { forgetRecentPlaces } from '../places/use-places.ts';
import { Question } from '../ui/dialog.tsx';
import { useDirtyForms } from '../ui/dirty-forms.ts';

/** More of them would push the actions out of the window. */
const MAX_GROUPS = 12;

export interface UserMenuProps {
  readonly user: SessionUser;
  readonly onShortcuts: () => void;
}

/** Who is signed in, what decides what they see, and what is theirs to set. */
export function UserMenu({ user, onShortcuts }: UserMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const { signOut, failure, question } = useSignOut();
  return (
    <>
      <span role="status" className={failure === '' ? '' : 'still-in'}>
        {failure}
      </span>
      <Dropdown
        shouldFocusToggleOnSelect
        isOpen={isOpen}
        onOpenChange={setOpen}
        onSelect={() => setOpen(false)}
        popperProps={{ appendTo: 'inline', position: 'right', preventOverflow: true }}
        shouldFocusFirstItemOnOpen
        toggle={(ref) => (
          <MenuToggle
            ref={ref}
            variant="plainText"
            className="user-toggle"
            icon={<UserIcon />}
            aria-label={`Your account, ${user.email}`}
            isExpanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <span className="who">{user.name}</span>
          </MenuToggle>
        )}
      >
        <Person user={user} />
        <Divider />
        <DropdownList aria-label="Your account">
          <DropdownItem onClick={switchTheme}>{themeLabel()}</DropdownItem>
          <DropdownItem onClick={onShortcuts}>Keyboard shortcuts</DropdownItem>
          <DropdownItem onClick={signOut}>Sign out</DropdownItem>
        </DropdownList>
      </Dropdown>
      {question}
    </>
  );
}

function Person({ user: { email, name, groups } }: { readonly user: SessionUser }) {
  const shown = groups.slice(0, MAX_GROUPS);
  const isAdmin = useIsAdmin();
  return (
    <div className="person">
      <p className="person-name">{name}</p>
      {name !== email && <p>{email}</p>}
      {isAdmin === true && <p className="hint">You're an administrator: no rule keeps you out.</p>}
      {groups.length === 0 ? (
        <p className="hint">You're not in any group. Only your email decides what you can see.</p>
      ) : (
        <>
          <p className="person-groups" id="your-groups">
            Your groups
          </p>
          <ul aria-labelledby="your-groups">
            {shown.map((group) => (
              <li key={group}>{group}</li>
            ))}
            {groups.length > MAX_GROUPS && <li>and {formatNumber(groups.length - MAX_GROUPS)} more</li>}
          </ul>
          <p className="hint">These decide what you can see.</p>
        </>
      )}
    </div>
  );
}

/** Ends the session; confirms first when something would be lost. */
function useSignOut() {
  const api = useApi();
  const queries = useQueryClient();
  const edits = useDirtyForms();
  const { signedOut } = useSessionWatch();
  const [lost, setLost] = useState<ReturnType<typeof edits.dirty>>();
  const [failure, setFailure] = useState('');
  const leave = async () => {
    setLost(undefined);
    let atProvider: string | undefined;
    try {
      atProvider = await api.signOut();
    } catch {
      // The cookie is still there, and only the service can remove it: no one may think that it has.
      setFailure("You're still signed in. Try again.");
      return;
    }
    signedOut();
    edits.forget();
    queries.clear();
    forgetRecentPlaces();
    window.location.assign(atProvider ?? PAGE_ROUTES.login);
  };
  const question = lost !== undefined && (
    <Question
      {...WORDS[lost]}
      stay="Stay signed in"
      go="Sign out"
      onStay={() => setLost(undefined)}
      onGo={() => void leave()}
    />
  );
  const signOut = () => {
    const dirty = edits.dirty();
    setLost(dirty);
    if (dirty === undefined) void leave();
  };
  return { signOut, failure, question };
}

const WORDS = {
  sent: {
    title: 'Sign out while this page is still working?',
    body: "The request was sent and can't be called back. You won't see what became of it.",
  },
  typed: { title: 'Sign out without saving?', body: 'Your changes will be lost.' },
};
