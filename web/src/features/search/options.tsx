import { useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { useExplanation } from '../../api/queries.ts';
import { copyText } from '../../ui/copy-text.ts';
import { actionsOf, type SearchGroup, type SearchResult } from './search-results.ts';
import { Menu, MenuContent, MenuGroup, MenuItem, MenuList } from '@patternfly/react-core';
import BoltIcon from '@patternfly/react-icons/dist/esm/icons/bolt-icon';
import EllipsisHIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-h-icon';
import FolderIcon from '@patternfly/react-icons/dist/esm/icons/folder-icon';
import KeyIcon from '@patternfly/react-icons/dist/esm/icons/key-icon';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';

/** The options of the dialog: results, or what can be done with one of them; and which of them the keyboard has chosen. */
export function useOptions(found: readonly SearchGroup[], onLeave: () => void) {
  const navigate = useNavigate();
  /** Its actions take the place of the results. */
  const [subject, setSubject] = useState<SearchResult>();
  const [chosen, setChosen] = useState<SearchResult>();
  const [note, setNote] = useState('');
  const { data: access } = useExplanation(subject?.secret);
  const show = (result: SearchResult | undefined) => {
    setSubject(result);
    setChosen(undefined);
    setNote('');
  };
  const more = (result: SearchResult) => {
    if (hasActions(result)) show(result);
  };
  /** Leaves for a screen, or copies and stays. */
  const run = ({ to, copies = '' }: SearchResult) => {
    if (to !== undefined) {
      onLeave();
      void navigate(to);
      return;
    }
    copyText(copies).then(
      () => setNote('Copied'),
      () => setNote("Your browser doesn't allow copying here"),
    );
  };
  const groups =
    subject === undefined
      ? found
      : [
          {
            title: `Actions for ${subject.text}`,
            results: actionsOf(subject, window.location.origin, access?.level),
          },
        ];
  const options = groups.flatMap(({ results }) => results);
  // What was chosen stays chosen while more is found.
  const index = Math.max(
    0,
    options.findIndex((one) => chosen !== undefined && optionId(one) === optionId(chosen)),
  );
  const active = options[index];
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const command = commandOf(event, subject !== undefined);
    if (command === undefined) return;
    event.preventDefault();
    if (command === 'back') show(undefined);
    else if (active === undefined) return;
    else if (command === 'run') run(active);
    else if (command === 'more') more(active);
    else setChosen(options[(index + command + options.length) % options.length]);
  };
  const isAboutActions = subject !== undefined;
  return { groups, active, note, isAboutActions, more, run, back: () => show(undefined), onKeyDown };
}

/** Of its element: unlike that of any other option. */
export const optionId = ({ to, text }: SearchResult): string => `option ${to ?? text}`.replaceAll(/\s/g, '-');

/** Those of an action are the action itself. */
const hasActions = ({ kind }: SearchResult): boolean => kind !== 'action';

/** What a key does: one step down or up, run what is chosen, show its actions, or lead back from them. */
function commandOf(event: KeyboardEvent<HTMLInputElement>, showsActions: boolean) {
  if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
    return undefined;
  }
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  const isAtEnd = selectionStart === value.length && selectionEnd === value.length;
  switch (event.key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return -1;
    case 'Enter':
      return 'run';
    case 'ArrowRight':
      return isAtEnd && !showsActions ? 'more' : undefined;
    case 'ArrowLeft':
      return showsActions ? 'back' : undefined;
    default:
      return undefined;
  }
}

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
