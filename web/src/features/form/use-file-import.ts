import { useEffect, useRef, useState } from 'react';
import { importEntries, type Row, type RowsChange } from '../../editing/draft.ts';
import { placeFiles } from '../../editing/placed-files.ts';
import { MAX_DATA_BYTES } from '../../../../src/contract/limits.ts';
import { readTextFile } from '../../values/text-file.ts';

/** What became of the files that were imported last. */
export interface ImportSummary {
  readonly notes: readonly string[];
  readonly refused: readonly string[];
}

/** Reads files and puts them where they belong, into the rows as they are by then. */
export function useFileImport(type: string, rows: readonly Row[], onChange: (change: RowsChange) => void) {
  const [summary, setSummary] = useState<ImportSummary>({ notes: [], refused: [] });
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  }, [rows]);
  const importFiles = async (files: readonly File[]) => {
    const read = await Promise.all(files.map((file) => readTextFile(file, MAX_DATA_BYTES)));
    const texts = read.filter((file) => 'text' in file);
    const { entries, notes } = placeFiles(type, texts, latest.current);
    setSummary({ notes, refused: read.flatMap((file) => ('refused' in file ? [file.refused] : [])) });
    // What was typed while the files were being read stays.
    if (entries.length > 0) onChange((now) => importEntries(now, entries));
  };
  return { summary, importFiles };
}
