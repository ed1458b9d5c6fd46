import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadMain,
  MastheadToggle,
  Page,
  PageSidebar,
  PageSidebarBody,
  PageToggleButton,
  SkipToContent,
} from '@patternfly/react-core';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { SessionUser } from '../api/secrets-api.ts';
import { OpenSearchContext } from '../ui/open-search.ts';
import { NamespaceNav } from './namespace-nav.tsx';
import { NamespaceSwitcher } from './namespace-switcher.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Search, type SearchProps } from '../features/search/search.tsx';
import { UserMenu } from './user-menu.tsx';
import { useSidebar } from './use-sidebar.ts';

export interface FrameProps {
  /** Not known yet: the frame is there all the same. */
  readonly user: SessionUser | undefined;
  readonly children: ReactNode;
}

/** The bar above every screen, and the namespaces beside it. */
export function Frame({ user, children }: FrameProps) {
  const sidebar = useSidebar();
  const [text, setText] = useState<string>();
  const search = { text, onTextChange: setText };
  return (
    <Page
      className="frame"
      masthead={<Bar {...{ user, search, sidebar }} />}
      sidebar={
        <PageSidebar
          isSidebarOpen={sidebar.isOpen}
          className={sidebar.isOpen && sidebar.isOverlay ? 'side pf-m-expanded' : 'side'}
        >
          <PageSidebarBody>
            <NamespaceNav />
          </PageSidebarBody>
        </PageSidebar>
      }
      mainContainerId="main"
      mainAriaLabel="Content"
      skipToContent={<SkipToContent href="#main">Skip to content</SkipToContent>}
      isContentFilled
    >
      <OpenSearchContext value={setText}>{children}</OpenSearchContext>
    </Page>
  );
}

interface BarProps extends Pick<FrameProps, 'user'> {
  readonly search: SearchProps;
  readonly sidebar: ReturnType<typeof useSidebar>;
}

function Bar({ user, search, sidebar }: BarProps) {
  const [isSwitching, setSwitching] = useState(false);
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  return (
    <Masthead display={{ default: 'inline' }} className="head">
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton
            isHamburgerButton
            aria-label="Show or hide the sidebar"
            isSidebarOpen={sidebar.isOpen}
            onSidebarToggle={sidebar.toggle}
          />
        </MastheadToggle>
        <MastheadBrand>
          <Link to="/" className="brand" aria-label="Secrets">
            <LockIcon aria-hidden /> <span className="brand-name">Secrets</span>
          </Link>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent className="head-content">
        <NamespaceSwitcher isOpen={isSwitching} onOpenChange={setSwitching} />
        <span className="head-space" />
        <Search {...search} />
        {user !== undefined && <UserMenu user={user} onShortcuts={() => setShowsShortcuts(true)} />}
        <Shortcuts
          isOpen={showsShortcuts}
          onOpenChange={setShowsShortcuts}
          onSwitch={() => setSwitching(true)}
          onSearch={() => search.onTextChange('')}
        />
      </MastheadContent>
    </Masthead>
  );
}
