import { Modal, ModalBody, ModalHeader, SearchInput } from '@patternfly/react-core';
import { useState, useEffect, useRef, type RefObject } from 'react';
import { optionId, ResultList, type Option, type OptionGroup } from './result-list.tsx';
import { useOptions } from './use-options.ts';
import { useSearch, type Search } from './use-search.ts';
import { counted } from '../../values/format.ts';

export interface SearchDialogProps {
  /** That of the screen. */
  readonly namespace: string | undefined;
  /** What is searched for from the start. */
  readonly initial: string;
  readonly onClose: () => void;
}

/** Finds Secrets, keys, namespaces and actions: the field keeps the focus, arrows choose, Enter opens. */
export function SearchDialog({ namespace, initial, onClose }: SearchDialogProps) {
  const [text, setText] = useState(initial);
  const search = useSearch(text, namespace);
  const { groups, active, note, isAboutActions, back, onKeyDown } = useOptions(search.groups, onClose);
  const field = useFocusedField();
  return (
    <Modal
      isOpen
      variant="medium"
      position="top"
      onClose={onClose}
      onEscapePress={isAboutActions ? back : onClose}
      aria-labelledby="search-title"
    >
      <ModalHeader title="Search everything" labelId="search-title" />
      <ModalBody className="search">
        <SearchInput
          ref={field}
          aria-label="Search everything"
          placeholder="Secrets, keys, namespaces, actions…"
          value={text}
          onChange={(_event, value) => {
            setText(value);
            back();
          }}
          onClear={() => setText('')}
          inputProps={{ ...comboboxProps(groups, active), onKeyDown }}
        />
        <SearchStatus
          text={text}
          search={search}
          count={groups.reduce((count, { options }) => count + options.length, 0)}
          isAboutActions={isAboutActions}
          note={note}
        />
        <ResultList groups={groups} active={active?.id} />
      </ModalBody>
    </Modal>
  );
}

function comboboxProps(groups: readonly OptionGroup[], active: Option | undefined) {
  return {
    role: 'combobox',
    autoComplete: 'off',
    spellCheck: false,
    'aria-autocomplete': 'list' as const,
    'aria-expanded': active !== undefined,
    'aria-controls': groups.map(({ id }) => id).join(' '),
    ...(active === undefined ? {} : { 'aria-activedescendant': optionId(active.id) }),
  };
}

/** A dialog takes the focus when it opens; its field has it a moment later. */
function useFocusedField(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      field.current?.focus();
      field.current?.select();
    });
    return () => window.clearTimeout(timer);
  }, []);
  return field;
}

interface SearchStatusProps {
  readonly text: string;
  readonly search: Search;
  /** Of what is shown. */
  readonly count: number;
  readonly isAboutActions: boolean;
  /** What has just happened. */
  readonly note: string;
}

/** How far the search is, and what it does not cover. */
function SearchStatus({ text, search, count, isAboutActions, note }: SearchStatusProps) {
  const { answer, isSearching, hasFailed } = search;
  const isSearch = text.trim() !== '' && !isAboutActions;
  return (
    <div className="search-status hint">
      <p role="status">{note === '' && isSearch ? found(isSearching, count) : note}</p>
      {isSearch && count === 0 && !isSearching && (
        <p>Each word must occur in the namespace, the name, a key or the description.</p>
      )}
      {isSearch && hasFailed && (
        <p>Only what this tab has loaded was searched: the service cannot search right now.</p>
      )}
      {isSearch && answer?.more === true && <p>There are more: add a word to narrow them down.</p>}
      {isSearch && answer !== undefined && answer.skipped.length > 0 && (
        <p>
          Not searched, because their rules cannot be read: {answer.skipped.slice(0, MOST_NAMED).join(', ')}.
        </p>
      )}
      {!isSearch && note === '' && <p>↑ ↓ choose · Enter opens · → more actions</p>}
    </div>
  );
}

const MOST_NAMED = 5;

function found(isSearching: boolean, count: number): string {
  if (isSearching) return 'Searching all namespaces…';
  return count === 0 ? 'No matches' : counted(count, 'result');
}
