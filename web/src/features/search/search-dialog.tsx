import { Modal, ModalBody, ModalHeader, SearchInput } from '@patternfly/react-core';
import { useState, useEffect, useRef, type RefObject } from 'react';
import { optionId, ResultList, type Option, type OptionGroup } from './result-list.tsx';
import { SearchStatus } from './search-status.tsx';
import { useOptions } from './use-options.ts';
import { useSearch } from './use-search.ts';

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
