import { Menu, MenuContent, MenuGroup, MenuItem, MenuList } from '@patternfly/react-core';
import BoltIcon from '@patternfly/react-icons/dist/esm/icons/bolt-icon';
import EllipsisHIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-h-icon';
import FolderIcon from '@patternfly/react-icons/dist/esm/icons/folder-icon';
import KeyIcon from '@patternfly/react-icons/dist/esm/icons/key-icon';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import type { ComponentType, MouseEvent } from 'react';
import type { ResultKind } from './search-results.ts';

export interface Option {
  readonly id: string;
  readonly kind: ResultKind;
  readonly text: string;
  readonly hint: string | undefined;
  readonly run: () => void;
  /** Shows what else can be done with it. */
  readonly more?: () => void;
}

export interface OptionGroup {
  readonly id: string;
  readonly title: string;
  readonly options: readonly Option[];
}

export const optionId = (id: string): string => `option ${id}`.replaceAll(/\s/g, '-');

const ICONS: Readonly<Record<ResultKind, ComponentType>> = {
  secret: LockIcon,
  key: KeyIcon,
  namespace: FolderIcon,
  action: BoltIcon,
};

export interface ResultListProps {
  readonly groups: readonly OptionGroup[];
  /** The id of the option that the keyboard has chosen. */
  readonly active: string | undefined;
}

/** The options of the search, which the field above refers to. */
export function ResultList({ groups, active }: ResultListProps) {
  const options = new Map(groups.flatMap((group) => group.options.map((option) => [option.id, option])));
  return (
    <Menu role="listbox" isPlain isScrollable onSelect={(_event, id) => options.get(String(id))?.run()}>
      <MenuContent maxMenuHeight="min(32rem, 55dvh)">
        {groups.map(({ id, title, options: those }) => (
          <MenuGroup key={id} label={title} labelHeadingLevel="h2">
            <MenuList id={id} aria-label={title}>
              {those.map((option) => (
                <Item key={option.id} option={option} isActive={option.id === active} />
              ))}
            </MenuList>
          </MenuGroup>
        ))}
      </MenuContent>
    </Menu>
  );
}

function Item({ option, isActive }: { readonly option: Option; readonly isActive: boolean }) {
  const { id, kind, text, hint, more } = option;
  const Icon = ICONS[kind];
  const onMore = (event: MouseEvent) => {
    event.stopPropagation();
    more?.();
  };
  return (
    <MenuItem
      itemId={id}
      id={optionId(id)}
      isFocused={isActive}
      icon={<Icon />}
      className={isActive ? 'search-active' : ''}
    >
      <span className="search-line">
        <span className="search-text">{text}</span>
        {hint !== undefined && <span className="search-hint">{hint}</span>}
        {/* For the pointer alone: the keyboard has the right arrow, and an option can hold no button. */}
        {more !== undefined && (
          <span className="search-more" aria-hidden onClick={onMore}>
            <EllipsisHIcon />
          </span>
        )}
      </span>
    </MenuItem>
  );
}
