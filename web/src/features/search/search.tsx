import {
  Button,
  Modal,
  ModalBody,
  ModalHeader,
  TextInputGroup,
  TextInputGroupMain,
  type TextInputGroupMainProps,
} from '@patternfly/react-core';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import { useLayoutEffect, useRef, useState } from 'react';
import { useNamespaceInAddress } from '../../paths.ts';
import { useEscape } from '../../ui/use-escape.ts';
import { counted } from '../../values/format.ts';
import { listId, ResultList, optionId, useOptions } from './options.tsx';
import { useSearch, type Search as SearchState } from './use-search.ts';

export interface SearchProps {
  /** What is searched for; undefined while the search is closed. */
  readonly text: string | undefined;
  readonly onTextChange: (text: string | undefined) => void;
}

/** The button in the bar, and the search that it opens over the page. */
export function Search({ text, onTextChange }: SearchProps) {
  return (
    <>
      <Button
        variant="control"
        className="search-button"
        aria-label="Search everything"
        onClick={() => onTextChange('')}
      >
        <span className="search-button-line">
          <SearchIcon />
          <span className="search-button-text">Search everything</span>
          <kbd aria-hidden className="search-button-text">
            /
          </kbd>
        </span>
      </Button>
      {text !== undefined && <SearchDialog initial={text} onClose={() => onTextChange(undefined)} />}
    </>
  );
}

interface SearchDialogProps {
  /** What is searched for from the start. */
  readonly initial: string;
  readonly onClose: () => void;
}

/** Finds Secrets, keys, namespaces and actions: the field keeps the focus, arrows choose, Enter opens. */
function SearchDialog({ initial, onClose }: SearchDialogProps) {
  const [text, setText] = useState(initial);
  const search = useSearch(text, useNamespaceInAddress());
  const options = useOptions(search.groups, onClose);
  const { groups, active, note, isAboutActions, back } = options;
  useEscape(isAboutActions, back);
  return (
    <Modal isOpen variant="medium" position="top" onClose={onClose} aria-labelledby="search-title">
      <ModalHeader title="Search everything" labelId="search-title" />
      <ModalBody className="search">
        <Field
          value={text}
          onChange={(_event, value) => setText(value)}
          inputProps={{
            'aria-expanded': active !== undefined,
            'aria-controls': groups.map(listId).join(' '),
            ...(active === undefined ? {} : { 'aria-activedescendant': optionId(active) }),
            onKeyDown: options.onKeyDown,
            onInput: back,
          }}
        />
        <SearchStatus
          {...{ text, search, isAboutActions, note }}
          count={groups.reduce((count, { results }) => count + results.length, 0)}
        />
        <ResultList groups={groups} active={active} onRun={options.run} onMore={options.more} />
      </ModalBody>
    </Modal>
  );
}

interface FieldProps extends Pick<TextInputGroupMainProps, 'value' | 'onChange'> {
  readonly inputProps: object;
}

/** It has the focus before the next key is pressed, which replaces what is there from the start. */
function Field({ inputProps, ...field }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <TextInputGroup>
      <TextInputGroupMain
        {...field}
        ref={input}
        role="combobox"
        icon={<SearchIcon />}
        aria-label="Search everything"
        placeholder="Secrets, keys, namespaces, actions…"
        inputProps={{ autoComplete: 'off', spellCheck: false, 'aria-autocomplete': 'list', ...inputProps }}
      />
    </TextInputGroup>
  );
}

interface SearchStatusProps {
  readonly text: string;
  readonly search: SearchState;
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
        <p>Not searched right now: {answer.skipped.slice(0, MOST_NAMED).join(', ')}.</p>
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
