import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { whyUnread } from '../api/unread-value.ts';

/** What was done, beside where it was done. */
export function Done({ note }: { readonly note: DoneNote | undefined }) {
  return (
    <span role="status" className={note?.isProblem === true ? 'copy-note' : 'hint'}>
      {note?.text ?? ''}
    </span>
  );
}

const SHOWN_MS = 6_000;

interface DoneNote {
  readonly text: string;
  readonly isProblem: boolean;
}

/** Words after something was copied or saved; they go by themselves. */
export function useDone(shownMs = SHOWN_MS) {
  const [note, setNote] = useState<DoneNote>();
  useEffect(() => {
    if (note === undefined) return;
    const timer = window.setTimeout(() => setNote(undefined), shownMs);
    return () => window.clearTimeout(timer);
  }, [note, shownMs]);
  /** @param work resolves to the words about what was done */
  const run = (work: () => Promise<string>) => {
    work().then(
      (text) => setNote({ text, isProblem: false }),
      (error: unknown) => setNote({ text: whyUnread(error), isProblem: true }),
    );
  };
  const copy = (source: Parameters<typeof copyText>[0], done: string) =>
    run(async () => {
      await copyText(source);
      return done;
    });
  return { note, run, copy };
}
