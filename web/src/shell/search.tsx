import {
  Button,
  Modal,
  ModalBody,
  ModalHeader,
  TextInputGroup,
  TextInputGroupMain,
} from '@patternfly/react-core';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import { useLayoutEffect, useRef, useState } from 'react';
import { useNamespaceInAddress } from '../paths.ts';
import { SearchBody } from '../features/search/search-body.tsx';

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

/** The field is there and has the focus before the next key is pressed. */
function SearchDialog({ initial, onClose }: SearchDialogProps) {
  const namespace = useNamespaceInAddress();
  const [text, setText] = useState(initial);
  const field = (inputProps: object) => (
    <Field text={text} isTyped={text !== initial} onChange={setText} inputProps={inputProps} />
  );
  return (
    <Modal isOpen variant="medium" position="top" onClose={onClose} aria-labelledby="search-title">
      <ModalHeader title="Search everything" labelId="search-title" />
      <ModalBody className="search">
        <SearchBody namespace={namespace} text={text} field={field} onClose={onClose} />
      </ModalBody>
    </Modal>
  );
}

interface FieldProps {
  readonly text: string;
  /** What was not typed is replaced by what is. */
  readonly isTyped: boolean;
  readonly onChange: (text: string) => void;
  readonly inputProps: object;
}

function Field({ text, isTyped, onChange, inputProps }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [wasTyped] = useState(isTyped);
  useLayoutEffect(() => {
    input.current?.focus();
    if (!wasTyped) input.current?.select();
  }, [wasTyped]);
  return (
    <TextInputGroup>
      <TextInputGroupMain
        ref={input}
        role="combobox"
        icon={<SearchIcon />}
        aria-label="Search everything"
        placeholder="Secrets, keys, namespaces, actions…"
        value={text}
        onChange={(_event, value) => onChange(value)}
        inputProps={{ autoComplete: 'off', spellCheck: false, 'aria-autocomplete': 'list', ...inputProps }}
      />
    </TextInputGroup>
  );
}
