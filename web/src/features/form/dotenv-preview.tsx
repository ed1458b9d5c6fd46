import { Td, Th, Tr } from '@patternfly/react-table';
import { useMemo } from 'react';
import { Masked } from '../../ui/masked.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import type { Row } from '../../editing/draft.ts';
import { isValidKey } from '../../../../src/contract/keys.ts';
import { formatBytes, utf8Bytes } from '../../values/bytes.ts';
import type { DotenvEntry } from '../../values/dotenv.ts';
import { isLarge } from '../../values/large-text.ts';

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
