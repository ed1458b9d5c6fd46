import type { VersionSummary } from '../../api/secrets-api.ts';
import { HISTORY_WORDS } from '../../words/history.ts';

/** More keys are a comparison away. */
const SHOWN = 6;

/** Which keys a version changed against the one before it. */
export function VersionChanges({ changes }: { readonly changes: VersionSummary['changes'] }) {
  if (changes === undefined) return <span className="absent">{HISTORY_WORDS.oldest}</span>;
  const all = [
    ...changes.changed.map((key) => ({
      key,
      sign: HISTORY_WORDS.changed(key),
      words: HISTORY_WORDS.changed(key),
    })),
    ...changes.added.map((key) => ({
      key,
      sign: HISTORY_WORDS.added(key),
      words: HISTORY_WORDS.addedLong(key),
    })),
    ...changes.removed.map((key) => ({
      key,
      sign: HISTORY_WORDS.removed(key),
      words: HISTORY_WORDS.removedLong(key),
    })),
  ];
  if (all.length === 0) return <span className="absent">{HISTORY_WORDS.sameValues}</span>;
  const text = all.slice(0, SHOWN).map(({ sign }) => sign);
  const more = all.length - SHOWN;
  return (
    <span title={all.map(({ words }) => words).join(', ')}>
      {text.join(', ')}
      {more > 0 ? ` ${HISTORY_WORDS.more(more)}` : ''}
    </span>
  );
}
