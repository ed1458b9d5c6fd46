import { useState } from 'react';
import { MAX_DATA_BYTES } from '../../../../src/contract/limits.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { readFile } from '../../values/read-file.ts';
import type { FileValue } from '../../values/value.ts';

export interface ReplaceByFileProps {
  readonly what: string;
  readonly onReplace: (value: string | FileValue) => void;
}

/** Puts the content of a file in the place of a value, byte for byte. */
export function ReplaceByFile({ what, onReplace }: ReplaceByFileProps) {
  const [refused, setRefused] = useState('');
  const takeFile = async ([file]: readonly File[]) => {
    if (file === undefined) return;
    const read = await readFile(file, MAX_DATA_BYTES);
    setRefused('refused' in read ? read.refused : '');
    if ('value' in read) onReplace(read.value);
  };
  return (
    <>
      <FileButton
        text="Replace by a file"
        label={`File to replace the value of ${what}`}
        variant="link"
        onFiles={(files) => void takeFile(files)}
      />
      <span className="expired" aria-live="polite">
        {refused}
      </span>
    </>
  );
}
