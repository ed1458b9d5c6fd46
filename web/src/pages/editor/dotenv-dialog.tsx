import { Button, Modal, ModalBody, ModalFooter, ModalHeader, TextArea } from '@patternfly/react-core';
import { useState } from 'react';
import { Masked } from '../../components/masked.tsx';
import type { Row } from '../../editing/draft.ts';
import { isValidKey } from '../../rules/contract.ts';
import { parseDotenv, type DotenvEntry } from '../../values/dotenv.ts';

export interface DotenvDialogProps {
  readonly rows: readonly Row[];
  readonly onClose: () => void;
  readonly onImport: (entries: readonly DotenvEntry[]) => void;
}

/** Paste an .env text, see what it would do, and take it or leave it. */
export function DotenvDialog({ rows, onClose, onImport }: DotenvDialogProps) {
  const [text, setText] = useState('');
  const { entries, unreadLines } = parseDotenv(text);
  const good = entries.filter(({ key }) => isValidKey(key));
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby="dotenv-title">
      <ModalHeader title="Import .env" labelId="dotenv-title" />
      <ModalBody>
        <TextArea
          aria-label="Text of the .env file"
          className="value-input"
          placeholder="KEY=value"
          rows={8}
          value={text}
          autoComplete="off"
          spellCheck={false}
          resizeOrientation="vertical"
          onChange={(_event, value) => setText(value)}
        />
        <div aria-live="polite">
          {unreadLines.length > 0 && (
            <p className="expired">Not understood: line {unreadLines.join(', ')}.</p>
          )}
        </div>
        {entries.length > 0 && <Preview entries={entries} rows={rows} />}
      </ModalBody>
      <ModalFooter>
        <Button isDisabled={good.length === 0} onClick={() => onImport(good)}>
          {good.length === 1 ? 'Import 1 key' : `Import ${good.length} keys`}
        </Button>
        <Button variant="link" onClick={onClose}>
          Cancel
        </Button>
      </ModalFooter>
    </Modal>
  );
}

function Preview({
  entries,
  rows,
}: {
  readonly entries: readonly DotenvEntry[];
  readonly rows: readonly Row[];
}) {
  const effect = ({ key }: DotenvEntry) => {
    if (!isValidKey(key)) return 'not a key: left out';
    return rows.some((row) => row.key === key) ? 'replaces the value' : 'new';
  };
  return (
    <table className="plain" aria-label="Preview">
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Value</th>
          <th scope="col">Effect</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.key}>
            <th scope="row">{entry.key}</th>
            <td>
              <Masked value={entry.value} of={entry.key} />
            </td>
            <td>{effect(entry)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
