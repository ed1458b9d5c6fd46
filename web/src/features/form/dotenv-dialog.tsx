import { Button } from '@patternfly/react-core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useDirty } from '../../ui/dirty-forms.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { useFocusKept } from '../../ui/use-focus-kept.ts';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import type { Row } from '../../editing/draft.ts';
import { isValidKey, KEY_RULE } from '../../../../src/contract/keys.ts';
import { formatBytes, utf8Bytes } from '../../values/bytes.ts';
import { type DotenvEntry, MAX_DOTENV_CHARACTERS, parseImport } from '../../values/dotenv.ts';
import { counted, firstOf, formatNumber, isolated } from '../../values/format.ts';
import { isLarge, lineCount } from '../../values/lines.ts';
import { readFile } from '../../values/value.ts';
import { Td, Th, Tr } from '@patternfly/react-table';
import { Masked } from '../../ui/masked.tsx';
import { LinesField } from './line-field.tsx';
import { SmallTable } from '../../ui/small-table.tsx';

export interface DotenvDialogProps {
  readonly rows: readonly Row[];
  readonly onClose: () => void;
  readonly onImport: (entries: readonly DotenvEntry[]) => void;
}

/** Line numbers and keys that are named before the rest is counted. */
const NAMED = 20;

/** What of a text is not imported, and the rule that it breaks. */
function refusalsOf({ entries, unreadLines, leftOut }: ReturnType<typeof parseImport>): readonly string[] {
  const badKeys = entries.flatMap(({ key }) => (isValidKey(key) ? [] : [key]));
  const refusals = [
    [
      unreadLines,
      'Not understood: line ',
      '. A line is KEY=value, a comment or blank, unless all is one JSON object.',
    ],
    [badKeys.map(isolated), 'Not a key, so left out: ', `. The rule: ${KEY_RULE}.`],
    [leftOut.map(isolated), 'Left out, since their values are not text: ', '.'],
  ] as const;
  return refusals.flatMap(([of, what, rule]) => (of.length === 0 ? [] : [what + firstOf(of, NAMED) + rule]));
}

/** Paste an .env text, or choose or drop the file, see what it would do, and take it or leave it. */
export function DotenvDialog({ rows, onClose, onImport }: DotenvDialogProps) {
  const source = useDotenv();
  const { entries } = source.dotenv;
  const { isDraggedOver, handlers } = useFileDrop((files) => void source.importFiles(files));
  const good = entries.filter(({ key }) => isValidKey(key));
  return (
    // Around the dialog, so that a file that is dropped beside it is not opened by the browser.
    <div {...handlers}>
      <ConfirmDialog
        id="dotenv"
        title="Import .env or JSON"
        variant="medium"
        action={`Import ${counted(good.length, 'key')}`}
        isReady={good.length > 0 && !source.isStale}
        isBusy={false}
        onConfirm={() => onImport(good)}
        onClose={onClose}
      >
        <div className={isDraggedOver ? 'drop over' : 'drop'}>
          <Source source={source} />
        </div>
        <div aria-live="polite">
          {[source.refused, ...refusalsOf(source.dotenv)].filter(Boolean).map((text) => (
            <p key={text} className="expired">
              {text}
            </p>
          ))}
        </div>
        {entries.length > 0 && <DotenvPreview entries={entries} rows={rows} />}
      </ConfirmDialog>
    </div>
  );
}

function Source({ source }: { readonly source: ReturnType<typeof useDotenv> }) {
  const { text, isTooLargeToEdit, type, replace, importFiles } = source;
  const { place, keepFocus } = useFocusKept(String(isTooLargeToEdit));
  return (
    <div ref={place}>
      {isTooLargeToEdit ? (
        <p>
          {formatBytes(utf8Bytes(text))}, {formatNumber(lineCount(text))} lines: too large for a text field.
        </p>
      ) : (
        <LinesField
          aria-label="Text of the .env or JSON file"
          placeholder="KEY=value"
          rows={8}
          value={text}
          endings="lf"
          onType={type}
          onPasteWhole={(whole) => {
            keepFocus();
            replace(whole);
          }}
        />
      )}
      <div className="row-actions">
        <FileButton
          text="Choose a file"
          label=".env or JSON file"
          onFiles={(files) => void importFiles(files)}
        />
        {isTooLargeToEdit && (
          <Button
            variant="secondary"
            onClick={() => {
              keepFocus();
              replace('');
            }}
          >
            Clear
          </Button>
        )}
        <span className="hint">Or drop the file here.</span>
      </div>
    </div>
  );
}

const TOO_LARGE = `Not imported: a text can have at most ${formatBytes(MAX_DOTENV_CHARACTERS)} here.`;

/** An .env or JSON text that is typed, pasted or read from a file, and the entries in it. */
function useDotenv() {
  const [text, setText] = useState('');
  useDirty(text !== '', 'typed');
  /** Too large for a text field, which therefore is not shown. */
  const [isTooLargeToEdit, setTooLargeToEdit] = useState(false);
  const [refused, setRefused] = useState('');
  const read = useDeferredValue(text);
  const dotenv = useMemo(() => parseImport(read), [read]);
  const type = (next: string) => {
    const fits = next.length <= MAX_DOTENV_CHARACTERS;
    setRefused(fits ? '' : TOO_LARGE);
    if (fits) setText(next);
  };
  const replace = (next: string) => {
    type(next);
    if (next.length <= MAX_DOTENV_CHARACTERS) setTooLargeToEdit(isLarge(next));
  };
  const importFiles = async ([file, ...others]: readonly File[]) => {
    if (file === undefined) return;
    const found = await readFile(file, MAX_DOTENV_CHARACTERS);
    if ('refused' in found) setRefused(found.refused);
    else if (typeof found.value === 'string') replace(found.value);
    else setRefused(`${isolated(file.name)}: this file is not text.`);
    if (others.length > 0) setRefused(`Only ${isolated(file.name)} was read: one file at a time.`);
  };
  return { text, isTooLargeToEdit, refused, dotenv, isStale: read !== text, type, replace, importFiles };
}

/** Rows that are drawn; thousands would make typing slow, and no one reads them. */
const DRAWN = 100;

interface DotenvPreviewProps {
  readonly entries: readonly DotenvEntry[];
  readonly rows: readonly Row[];
}

/** What an import would do, key by key. */
function DotenvPreview({ entries, rows }: DotenvPreviewProps) {
  const present = useMemo(() => new Set(rows.map(({ key }) => key)), [rows]);
  const effect = ({ key }: DotenvEntry) => {
    if (!isValidKey(key)) return 'not a key: left out';
    return present.has(key) ? 'replaces the value' : 'new';
  };
  return (
    <>
      <SmallTable label="Preview" columns={['Key', 'Value', 'Effect']}>
        {entries.slice(0, DRAWN).map((entry) => (
          <Tr key={entry.key}>
            <Th scope="row">{entry.key}</Th>
            <Td>
              {isLarge(entry.value) ? (
                formatBytes(utf8Bytes(entry.value))
              ) : (
                <Masked value={entry.value} of={entry.key} />
              )}
            </Td>
            <Td>{effect(entry)}</Td>
          </Tr>
        ))}
      </SmallTable>
      {entries.length > DRAWN && <p>and {entries.length - DRAWN} more</p>}
    </>
  );
}
