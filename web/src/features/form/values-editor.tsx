import { Alert, Button, DropdownItem, DropdownList } from '@patternfly/react-core';
import { memo, useMemo, useRef, useState } from 'react';
import { isStored, readFile, type FormValues } from '../../values/value.ts';
import { useFileField } from '../../ui/file-button.tsx';
import { useCurrent } from '../../ui/use-current.ts';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { dataBytes, importEntries, type Row, type RowsChange } from '../../editing/draft.ts';
import { typeNeed, type TypeFields } from '../../editing/secret-types.ts';
import { keysOfType } from '../../../../src/contract/secret-types.ts';
import { MAX_DATA_BYTES } from '../../../../src/contract/limits.ts';
import { formatBytes } from '../../values/bytes.ts';
import { DotenvDialog } from './dotenv-dialog.tsx';
import { RowList } from './row-list.tsx';
import { useRowActions } from './use-row-actions.ts';
import { placeFiles } from '../../editing/placed-files.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';

export interface ValuesEditorProps {
  readonly type: string;
  readonly rows: readonly Row[];
  /** The values of the Secret as it was loaded; undefined for a new one. */
  readonly base: FormValues | undefined;
  /** A key that another part of the form fills in. */
  readonly elsewhere?: string | undefined;
  /** The fields of the type's form; none where the keys are shown as they are. */
  readonly fields: TypeFields;
  /** Stays the same, so that typing elsewhere in the form does not draw thousands of rows. */
  readonly onChange: (change: RowsChange) => void;
}

/** Keys and values: typed, from files, or from an .env text. */
export const ValuesEditor = memo(function ValuesEditor(props: ValuesEditorProps) {
  const { type, rows, base, elsewhere, fields, onChange } = props;
  const [importing, setImporting] = useState(false);
  const { summary, importFiles } = useFileImport(type, rows, onChange);
  const { isDraggedOver, handlers } = useFileDrop((files) => void importFiles(files));
  const addButton = useRef<HTMLButtonElement>(null);
  const actions = useRowActions({ type, base, onChange, otherwise: addButton });
  const isMissing = (key: string) => rows.every((row) => row.key !== key) && base?.has(key) !== true;
  const need = useMemo(() => typeNeed(type, rows), [type, rows]);
  return (
    <>
      <div className={isDraggedOver ? 'drop over' : 'drop'} {...handlers}>
        <RowList {...{ type, rows, base, fields, need, actions }} isElsewhere={(key) => key === elsewhere} />
        {need !== undefined && need.key === undefined && <p className="expired">{need.text}</p>}
        <FileImportResult summary={summary} />
        <div className="row-actions">
          {[...fields]
            .filter(([key]) => isMissing(key))
            .map(([key, label]) => (
              <Button
                key={key}
                variant="secondary"
                onClick={() => actions.add({ key, fixed: keysOfType(type).includes(key) })}
              >
                Add {inSentence(label)}
              </Button>
            ))}
          <Button ref={addButton} variant="secondary" onClick={() => actions.add()}>
            Add a key
          </Button>
          <ImportMenu onFiles={(files) => void importFiles(files)} onText={() => setImporting(true)} />
          <span className="hint">Or drop files here.</span>
        </div>
        <Budget rows={rows} />
      </div>
      {importing && (
        <DotenvDialog
          rows={rows}
          onClose={() => setImporting(false)}
          onImport={(entries) => {
            onChange((now) => importEntries(now, entries));
            setImporting(false);
          }}
        />
      )}
    </>
  );
});

function FileImportResult({ summary: { notes, refused } }: { readonly summary: ImportSummary }) {
  const parts = [
    { variant: 'info', title: 'Imported files', lines: notes },
    { variant: 'danger', title: 'Some files could not be imported', lines: refused },
  ] as const;
  return parts.map(
    ({ variant, title, lines }) =>
      lines.length > 0 && (
        <Alert key={variant} isInline isLiveRegion variant={variant} component="h3" title={title}>
          <ul className="notes">
            {lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        </Alert>
      ),
  );
}

function Budget({ rows }: { readonly rows: readonly Row[] }) {
  const bytes = useMemo(() => dataBytes(rows), [rows]);
  const isTooLarge = bytes > MAX_DATA_BYTES;
  // How large the values are that stay is not known here.
  if (!isTooLarge && rows.some(({ value }) => isStored(value))) return null;
  return (
    <p className={isTooLarge ? 'budget expired' : 'budget'}>
      <meter
        aria-label="Size of all values"
        min={0}
        max={MAX_DATA_BYTES}
        high={MAX_DATA_BYTES * 0.9}
        value={bytes}
      />
      {formatBytes(bytes)} of {formatBytes(MAX_DATA_BYTES)}
      {isTooLarge ? ': too large to be saved' : ''}
    </p>
  );
}

/** What became of the files that were imported last. */
interface ImportSummary {
  readonly notes: readonly string[];
  readonly refused: readonly string[];
}

/** Reads files and puts them where they belong, into the rows as they are by then. */
function useFileImport(type: string, rows: readonly Row[], onChange: (change: RowsChange) => void) {
  const [summary, setSummary] = useState<ImportSummary>({ notes: [], refused: [] });
  const latest = useCurrent(rows);
  const importFiles = async (files: readonly File[]) => {
    const read = await Promise.all(files.map((file) => readFile(file, MAX_DATA_BYTES)));
    const found = read.filter((file) => 'value' in file);
    const { entries, notes } = placeFiles(type, found, latest.current ?? rows);
    setSummary({ notes, refused: read.flatMap((file) => ('refused' in file ? [file.refused] : [])) });
    // What was typed while the files were being read stays.
    if (entries.length > 0) onChange((now) => importEntries(now, entries));
  };
  return { summary, importFiles };
}

interface ImportMenuProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: () => void;
}

/** Keys from elsewhere: one for each file, or all of a text. */
function ImportMenu({ onFiles, onText }: ImportMenuProps) {
  const { field, open } = useFileField({ label: 'Files to import', multiple: true, onFiles });
  return (
    <>
      {field}
      <ActionMenu text="Import" position="left">
        <DropdownList>
          <DropdownItem onClick={onText}>.env or JSON text…</DropdownItem>
          <DropdownItem onClick={open}>Files…</DropdownItem>
        </DropdownList>
      </ActionMenu>
    </>
  );
}

/** "CA certificate" stays, and so does every other abbreviation. */
function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}
