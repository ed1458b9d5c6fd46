import { useContext, useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { CurrentValuesContext } from './current-values.ts';

export const UNCHECKED = " Couldn't check for a newer version.";

const SHOWN_MS = 6_000;

export interface DoneNote {
  readonly text: string;
  readonly isProblem: boolean;
}

/** Words after something was copied or saved; they go by themselves. */
export function useDone() {
  const [note, setNote] = useState<DoneNote>();
  const whenCurrent = useContext(CurrentValuesContext);
  useEffect(() => {
    if (note === undefined) return;
    const timer = window.setTimeout(() => setNote(undefined), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [note]);
  /** Runs on the current values; resolves to nothing when the browser refuses. */
  const copy = (text: string, done: string, unchecked = UNCHECKED) =>
    whenCurrent((isChecked) => {
      copyText(text).then(
        () => setNote({ text: `${done}${isChecked ? '' : unchecked}`, isProblem: false }),
        () => setNote({ text: "Your browser doesn't allow copying here.", isProblem: true }),
      );
    });
  return { note, setNote, copy, whenCurrent };
}
