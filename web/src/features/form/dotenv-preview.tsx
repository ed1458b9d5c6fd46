import { useMemo } from 'react';
import { Masked } from '../../ui/masked.tsx';
import type { Row } from '../../editing/draft.ts';
import { isValidKey } from '../../../../src/contract/keys.ts';
import { formatBytes, utf8Bytes } from '../../values/bytes.ts';
import type { DotenvEntry } from '../../values/dotenv.ts';
import { isLarge } from '../../values/large-text.ts';
import { COMMON_WORDS } from '../../words/common.ts';
import { DOTENV_PREVIEW_WORDS } from '../../words/form.ts';

/** Rows that are drawn; thousands would make typing slow, and no one reads them. */
const DRAWN = 100;

export interface DotenvPreviewProps {
  readonly entries: readonly DotenvEntry[];
  readonly rows: readonly Row[];
}

/** What an import would do, key by key. */
export function DotenvPreview({ entries, rows }: DotenvPreviewProps) {
  const present = useMemo(() => new Set(rows.map(({ key }) => key)), [rows]);
  const effect = ({ key }: DotenvEntry) => {
    if (!isValidKey(key)) return DOTENV_PREVIEW_WORDS.notAKey;
    return present.has(key) ? DOTENV_PREVIEW_WORDS.replaces : 'new';
  };
  return (
    <>
      <table className="plain" aria-label={DOTENV_PREVIEW_WORDS.preview}>
        <thead>
          <tr>
            <th scope="col">{COMMON_WORDS.key}</th>
            <th scope="col">{COMMON_WORDS.value}</th>
            <th scope="col">{DOTENV_PREVIEW_WORDS.effect}</th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, DRAWN).map((entry) => (
            <tr key={entry.key}>
              <th scope="row">{entry.key}</th>
              <td>
                {isLarge(entry.value) ? (
                  formatBytes(utf8Bytes(entry.value))
                ) : (
                  <Masked value={entry.value} of={entry.key} />
                )}
              </td>
              <td>{effect(entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length > DRAWN && <p>{DOTENV_PREVIEW_WORDS.more(entries.length - DRAWN)}</p>}
    </>
  );
}
