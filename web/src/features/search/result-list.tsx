import { Menu, MenuContent, MenuGroup, MenuItem, MenuList } from '@patternfly/react-core';
import BoltIcon from '@patternfly/react-icons/dist/esm/icons/bolt-icon';
import EllipsisHIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-h-icon';
import FolderIcon from '@patternfly/react-icons/dist/esm/icons/folder-icon';
import KeyIcon from '@patternfly/react-icons/dist/esm/icons/key-icon';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import type { MouseEvent } from 'react';
import type { SearchGroup, SearchResult } from './search-results.ts';
import { hasActions, optionId } from './use-options.ts';

const ICONS = { secret: LockIcon, key: KeyIcon, namespace: FolderIcon, action: BoltIcon };

interface ResultListProps {
  readonly groups: readonly SearchGroup[];
  /** What the keyboard has chosen. */
  readonly active: SearchResult | undefined;
  readonly onRun: (result: SearchResult) => void;
  readonly onMore: (result: SearchResult) => void;
}

/** The id of the list of a group, which the field refers to. */
export const listId = ({ results }: SearchGroup): string => `search-${results[0]?.kind ?? ''}`;

/** The options of the search, which the field above refers to. */
export function ResultList({ groups, active, ...actions }: ResultListProps) {
  return (
    <Menu role="listbox" isPlain isScrollable>
      <MenuContent maxMenuHeight="min(32rem, 55dvh)">
        {groups.map((group) => (
          <MenuGroup key={listId(group)} label={group.title} labelHeadingLevel="h2">
            <MenuList id={listId(group)} aria-label={group.title}>
              {group.results.map((one) => (
                <Item key={optionId(one)} result={one} isActive={one === active} {...actions} />
              ))}
            </MenuList>
          </MenuGroup>
        ))}
      </MenuContent>
    </Menu>
  );
}

interface ItemProps extends Pick<ResultListProps, 'onRun' | 'onMore'> {
  readonly result: SearchResult;
  readonly isActive: boolean;
}

function Item({ result, isActive, onRun, onMore }: ItemProps) {
  const Icon = ICONS[result.kind];
  const showActions = (event: MouseEvent) => {
    event.stopPropagation();
    onMore(result);
  };
  return (
    <MenuItem
      id={optionId(result)}
      isFocused={isActive}
      icon={<Icon />}
      className={isActive ? 'search-active' : ''}
      onClick={() => onRun(result)}
    >
      <span className="search-line">
        <span className="search-text">{result.text}</span>
        {result.hint !== undefined && <span className="search-hint">{result.hint}</span>}
        {/* For the pointer alone: the keyboard has the right arrow, and an option can hold no button. */}
        {hasActions(result) && (
          <span className="search-more" aria-hidden onClick={showActions}>
            <EllipsisHIcon />
          </span>
        )}
      </span>
    </MenuItem>
  );
}
