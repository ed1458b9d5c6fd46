import { useDeferredValue, useMemo, useState } from 'react';
import { MAX_DOTENV_CHARACTERS, parseDotenv } from '../../values/dotenv.ts';
import { formatBytes } from '../../values/bytes.ts';
import { isLarge } from '../../values/large-text.ts';
import { readTextFile } from '../../values/text-file.ts';

const TOO_LARGE = `Not taken: a text may have at most ${formatBytes(MAX_DOTENV_CHARACTERS)} here.`;

/** An .env text from wherever it comes, and what it says. */
export function useDotenv() {
  const [text, setText] = useState('');
  /** Too large for a text field, so it is kept beside it. */
  const [isHeld, setHeld] = useState(false);
  const [refused, setRefused] = useState('');
  const read = useDeferredValue(text);
  const dotenv = useMemo(() => parseDotenv(read), [read]);
  const type = (next: string) => {
    const fits = next.length <= MAX_DOTENV_CHARACTERS;
    setRefused(fits ? '' : TOO_LARGE);
    if (fits) setText(next);
  };
  const take = (next: string) => {
    type(next);
    if (next.length <= MAX_DOTENV_CHARACTERS) setHeld(isLarge(next));
  };
  const takeFiles = async ([file, ...others]: readonly File[]) => {
    if (file === undefined) return;
    const found = await readTextFile(file, MAX_DOTENV_CHARACTERS);
    if ('refused' in found) setRefused(found.refused);
    else take(found.text);
    if (others.length > 0) setRefused(`Only ${file.name} was read: one file at a time.`);
  };
  return { text, isHeld, refused, dotenv, isStale: read !== text, type, take, takeFiles };
}
