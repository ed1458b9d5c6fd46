import { useDeferredValue, useMemo, useState } from 'react';
import { MAX_DOTENV_CHARACTERS } from '../../values/dotenv.ts';
import { parseImport } from '../../values/import-text.ts';
import { formatBytes } from '../../values/bytes.ts';
import { isLarge } from '../../values/large-text.ts';
import { readTextFile } from '../../values/read-file.ts';

const TOO_LARGE = `Not imported: a text can have at most ${formatBytes(MAX_DOTENV_CHARACTERS)} here.`;

/** An .env or JSON text that is typed, pasted or read from a file, and the entries in it. */
export function useDotenv() {
  const [text, setText] = useState('');
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
    const found = await readTextFile(file, MAX_DOTENV_CHARACTERS);
    if ('refused' in found) setRefused(found.refused);
    else replace(found.text);
    if (others.length > 0) setRefused(`Only ${file.name} was read: one file at a time.`);
  };
  return { text, isTooLargeToEdit, refused, dotenv, isStale: read !== text, type, replace, importFiles };
}
