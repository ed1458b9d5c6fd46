import { Alert, Button } from '@patternfly/react-core';
import { useRef, useState, type DragEvent } from 'react';
import { addRow, dataBytes, importEntries, type Row } from '../../editing/draft.ts';
import { keyForFile } from '../../editing/secret-types.ts';
import { MAX_DATA_BYTES } from '../../rules/contract.ts';
import { formatBytes } from '../../values/bytes.ts';
import { textOfFile } from '../../values/value-rule.ts';
import { DotenvDialog } from './dotenv-dialog.tsx';
import { RowEditor } from './row-editor.tsx';

export interface ValuesEditorProps {
  readonly type: string;
  readonly rows: readonly Row[];
  /** Keys that another part of the form fills in. */
  readonly elsewhere?: readonly string[];
  readonly onChange: (rows: readonly Row[]) => void;
}

/** Keys and values: typed, from files, or from an .env text. */
export function ValuesEditor({ type, rows, elsewhere = [], onChange }: ValuesEditorProps) {
  const [importing, setImporting] = useState(false);
  const { refused, take } = useFiles(type, rows, onChange);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take([...event.dataTransfer.files]);
  };
  const visible = rows.filter(({ key, fixed }) => !(fixed && elsewhere.includes(key)));
  return (
    <div
      className={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <ul className="rows" aria-label="Keys and values">
        {visible.map((row) => (
          <RowEditor
            key={row.id}
            row={row}
            rows={rows}
            onChange={(change) =>
              onChange(rows.map((one) => (one.id === row.id ? { ...one, ...change } : one)))
            }
            onRemove={() => onChange(rows.filter((one) => one.id !== row.id))}
          />
        ))}
      </ul>
      {refused.length > 0 && (
        <Alert isInline isLiveRegion variant="danger" component="h3" title="Not every file could be taken">
          <p>{refused.join(', ')}: binary files cannot be stored as text. Use kubectl for binary values.</p>
        </Alert>
      )}
      <div className="row-actions">
        <Button variant="secondary" onClick={() => onChange(addRow(rows))}>
          Add a key
        </Button>
        <FileButton onFiles={(files) => void take(files)} />
        <Button variant="secondary" onClick={() => setImporting(true)}>
          Import .env
        </Button>
        <span className="hint">Files can be dropped here, too.</span>
      </div>
      <Budget rows={rows} />
      {importing && (
        <DotenvDialog
          rows={rows}
          onClose={() => setImporting(false)}
          onImport={(entries) => {
            onChange(importEntries(rows, entries));
            setImporting(false);
          }}
        />
      )}
    </div>
  );
}

function useFiles(type: string, rows: readonly Row[], onChange: (rows: readonly Row[]) => void) {
  const [refused, setRefused] = useState<readonly string[]>([]);
  const take = async (files: readonly File[]) => {
    const read = await Promise.all(
      files.map(async (file) => ({ name: file.name, text: textOfFile(await file.arrayBuffer()) })),
    );
    setRefused(read.filter(({ text }) => text === undefined).map(({ name }) => name));
    const entries = read.flatMap(({ name, text }) =>
      text === undefined ? [] : [{ key: keyForFile(type, name, text), value: text }],
    );
    onChange(importEntries(rows, entries));
  };
  return { refused, take };
}

function FileButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to import"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <Button variant="secondary" onClick={() => input.current?.click()}>
        Add files
      </Button>
    </>
  );
}

function Budget({ rows }: { readonly rows: readonly Row[] }) {
  const bytes = dataBytes(rows);
  const over = bytes > MAX_DATA_BYTES;
  return (
    <p className={over ? 'budget expired' : 'budget'}>
      <meter
        aria-label="Size of all values"
        min={0}
        max={MAX_DATA_BYTES}
        high={MAX_DATA_BYTES * 0.9}
        value={bytes}
      />
      {formatBytes(bytes)} of {formatBytes(MAX_DATA_BYTES)}
      {over ? ': too large to be saved' : ''}
    </p>
  );
}
