import {
  Menu,
  MenuContainer,
  MenuContent,
  MenuItem,
  MenuItemAction,
  MenuList,
  MenuSearch,
  MenuSearchInput,
  MenuToggle,
  type MenuToggleElement,
  SearchInput,
} from '@patternfly/react-core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { useNamespaces } from '../api/queries.ts';
import { listPath, useNamespaceInAddress } from '../paths.ts';
import { inOrderOfUse } from '../places/places.ts';
import { usePlaces } from '../places/use-places.ts';
import { formatNumber } from '../values/format.ts';

/** Enough to choose from; typing narrows down the rest. */
const MAX_SHOWN = 100;
const MENU_HEIGHT = '60vh';

export interface NamespaceSwitcherProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/**
 * Names the namespace of the screen, and leads to any other; those that are starred and were used last come first.
 */
export function NamespaceSwitcher({ isOpen, onOpenChange }: NamespaceSwitcherProps) {
  const namespace = useNamespaceInAddress();
  const toggle = useRef<MenuToggleElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const choose = (name: string) => {
    onOpenChange(false);
    void navigate(listPath(name));
  };
  return (
    <MenuContainer
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      // Tab walks through the menu, from the search to the items and their stars.
      onOpenChangeKeys={['Escape']}
      popperProps={{ appendTo: 'inline', preventOverflow: true }}
      menuRef={menu}
      toggleRef={toggle}
      toggle={
        <MenuToggle
          ref={toggle}
          className="switcher"
          isExpanded={isOpen}
          aria-label={namespace === undefined ? 'Choose a namespace' : `Switch from ${namespace}`}
          onClick={() => onOpenChange(!isOpen)}
        >
          {namespace ?? 'Choose a namespace'}
        </MenuToggle>
      }
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
                    <MenuItemAction
                      isFavorited={places.starred.includes(name)}
                      actionId="star"
                      aria-label={`${places.starred.includes(name) ? 'Remove the star of' : 'Star'} ${name}`}
                      onClick={() => toggleStar(name)}
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
