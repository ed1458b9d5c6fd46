import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadMain,
  MastheadToggle,
  type MenuToggleElement,
  Page,
  PageSidebar,
  PageSidebarBody,
  PageToggleButton,
  SkipToContent,
  MenuToggle,
  type MenuToggleProps,
} from '@patternfly/react-core';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import { useRef, useState, type ReactNode, type Ref } from 'react';
import { Link } from 'react-router';
import type { SessionUser } from '../api/secrets-api.ts';
import { OpenSearchContext } from '../ui/open-search.ts';
import { NamespaceNav } from './namespace-nav.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Search, type SearchProps } from './search.tsx';
import { NamespaceSwitcher } from './namespace-switcher.tsx';
import { UserMenu } from './user-menu.tsx';
import { useSidebar } from './use-sidebar.ts';
import { useNamespaceInAddress } from '../paths.ts';

export interface FrameProps {
  /** Not known yet: the frame is there all the same. */
  readonly user: SessionUser | undefined;
  readonly children: ReactNode;
}

/** The bar above every screen, and the namespaces beside it. */
export function Frame({ user, children }: FrameProps) {
  const { isOpen, isOverlay, toggle } = useSidebar();
  const [text, setText] = useState<string>();
  const search = { text, onTextChange: setText };
  return (
    <Page
      className="frame"
      masthead={<Bar user={user} search={search} isSidebarOpen={isOpen} onSidebarToggle={toggle} />}
      sidebar={
        <PageSidebar isSidebarOpen={isOpen} className={isOpen && isOverlay ? 'pf-m-expanded' : ''}>
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
  readonly isSidebarOpen: boolean;
  readonly onSidebarToggle: () => void;
}

function Bar({ user, search, isSidebarOpen, onSidebarToggle }: BarProps) {
  const namespace = useNamespaceInAddress();
  const switcher = useRef<MenuToggleElement>(null);
  const [isSwitching, setSwitching] = useState(false);
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  return (
    <Masthead display={{ default: 'inline' }} className="head">
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton
            isHamburgerButton
            aria-label="Show or hide the sidebar"
            isSidebarOpen={isSidebarOpen}
            onSidebarToggle={onSidebarToggle}
          />
        </MastheadToggle>
        <MastheadBrand>
          <Brand />
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent className="head-content">
        <SwitcherToggle
          ref={switcher}
          namespace={namespace}
          isExpanded={isSwitching}
          onClick={() => setSwitching(!isSwitching)}
        />
        <NamespaceSwitcher
          toggle={switcher}
          namespace={namespace}
          isOpen={isSwitching}
          onOpenChange={setSwitching}
        />
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

function Brand() {
  return (
    <Link to="/" className="brand" aria-label="Secrets">
      <LockIcon aria-hidden /> <span className="brand-name">Secrets</span>
    </Link>
  );
}

interface SwitcherToggleProps extends Pick<MenuToggleProps, 'isExpanded' | 'onClick'> {
  readonly namespace: string | undefined;
  readonly ref?: Ref<MenuToggleElement>;
}

/** Names the namespace of the screen; opens the menu of all. */
function SwitcherToggle({ namespace, ...rest }: SwitcherToggleProps) {
  return (
    <MenuToggle
      {...rest}
      className="switcher"
      aria-label={namespace === undefined ? 'Choose a namespace' : `Switch from ${namespace}`}
    >
      {namespace ?? 'Choose a namespace'}
    </MenuToggle>
  );
}
