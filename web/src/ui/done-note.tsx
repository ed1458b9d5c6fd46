import type { DoneNote } from './use-done.ts';

/** What was done, beside where it was done. */
export function Done({ note }: { readonly note: DoneNote | undefined }) {
  return (
    <span role="status" className={note?.isProblem === true ? 'copy-note' : 'hint'}>
      {note?.text ?? ''}
    </span>
  );
}
