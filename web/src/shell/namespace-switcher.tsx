import {
  Menu,
  MenuContainer,
  MenuContent,
  MenuItem,
  MenuItemAction,
  MenuList,
  MenuSearch,
  MenuSearchInput,
  type MenuToggleElement,
  SearchInput,
} from '@patternfly/react-core';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import { useNamespaces } from '../api/queries.ts';
import { listPath } from '../paths.ts';
import { inOrderOfUse } from '../places/places.ts';
import { usePlaces } from '../places/use-places.ts';
import { useLater } from '../ui/use-later.ts';
import { formatNumber } from '../values/format.ts';

/** Enough to choose from; typing narrows down the rest. */
const MAX_SHOWN = 100;
const MENU_HEIGHT = '60vh';

export interface NamespaceSwitcherProps {
  readonly toggle: RefObject<MenuToggleElement | null>;
  /** That of the screen. */
  readonly namespace: string | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Leads to any other namespace; those that are starred and were used last come first. */
export function NamespaceSwitcher({ toggle, namespace, isOpen, onOpenChange }: NamespaceSwitcherProps) {
  const menu = useRef<HTMLDivElement>(null);
  // PatternFly places only menus that open after they were drawn for the first time.
  const isMounted = useLater();
  const navigate = useNavigate();
  const choose = (name: string) => {
    onOpenChange(false);
    void navigate(listPath(name));
  };
  return (
    <MenuContainer
      isOpen={isOpen && isMounted}
      onOpenChange={onOpenChange}
      // Tab walks through the menu, from the search to the items and their stars.
      onOpenChangeKeys={['Escape']}
      popperProps={{ appendTo: 'inline', preventOverflow: true }}
      menuRef={menu}
      toggleRef={toggle}
      // The button itself is there before this code is.
      toggle={<></>}
      menu={
        <Menu
          ref={menu}
          isScrollable
          activeItemId={namespace ?? ''}
          onSelect={(_event, name) => choose(String(name))}
        >
          {isOpen && <Choices onChoose={choose} />}
        </Menu>
      }
    />
  );
}

function Choices({ onChoose }: { readonly onChoose: (name: string) => void }) {
  const [text, setText] = useState('');
  const { data, isError } = useNamespaces();
  const { places, toggleStar } = usePlaces();
  const input = useFocusedInput();
  const list = useRef<HTMLDivElement>(null);
  const wanted = text.trim().toLowerCase();
  const names = inOrderOfUse(data?.map(({ name }) => name) ?? [], places);
  const matches = names.filter((name) => name.includes(wanted));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && matches[0] !== undefined) onChoose(matches[0]);
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  };
  return (
    <>
      <MenuSearch>
        <MenuSearchInput>
          <SearchInput
            ref={input}
            aria-label="Find a namespace"
            placeholder="Find a namespace"
            value={text}
            onChange={(_event, value) => setText(value)}
            onClear={() => setText('')}
            onKeyDown={onKeyDown}
          />
        </MenuSearchInput>
      </MenuSearch>
      <p role="status" className="menu-note">
        {noteOf(data === undefined, isError, matches.length)}
      </p>
      <div ref={list}>
        <MenuContent maxMenuHeight={MENU_HEIGHT}>
          {matches.length > 0 && (
            <MenuList aria-label="Namespaces">
              {matches.slice(0, MAX_SHOWN).map((name) => (
                <MenuItem
                  key={name}
                  itemId={name}
                  actions={
                    <Star
                      name={name}
                      isStarred={places.starred.includes(name)}
                      onToggle={() => toggleStar(name)}
                    />
                  }
                >
                  {name}
                </MenuItem>
              ))}
            </MenuList>
          )}
        </MenuContent>
      </div>
    </>
  );
}

interface StarProps {
  readonly name: string;
  readonly isStarred: boolean;
  readonly onToggle: () => void;
}

function Star({ name, isStarred, onToggle }: StarProps) {
  return (
    <MenuItemAction
      isFavorited={isStarred}
      actionId="star"
      aria-label={isStarred ? `Remove the star of ${name}` : `Star ${name}`}
      onClick={onToggle}
    />
  );
}

function noteOf(isPending: boolean, isError: boolean, matches: number): string {
  if (isPending) return isError ? "Couldn't load the namespaces" : 'Loading namespaces…';
  if (matches === 0) return 'No matches';
  return matches > MAX_SHOWN ? `${formatNumber(matches - MAX_SHOWN)} more: type to narrow them down` : '';
}

/** The menu opens to be searched; it is placed a moment after it is drawn, and can take the focus only then. */
function useFocusedInput() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => input.current?.focus());
    return () => window.clearTimeout(timer);
  }, []);
  return input;
}
