import type { VersionSummary } from '../../api/secrets-api.ts';

/** More keys are a comparison away. */
const SHOWN = 6;

/** Which keys a version changed against the one before it. */
export function VersionChanges({ changes }: { readonly changes: VersionSummary['changes'] }) {
  if (changes === undefined) return <span className="absent">the oldest version here</span>;
  // The sign and the key stay on one line.
  const all = [
    ...changes.changed.map((key) => ({ sign: `${key} changed`, words: `${key} changed` })),
    ...changes.added.map((key) => ({ sign: `+\u00a0${key}`, words: `${key} added` })),
    ...changes.removed.map((key) => ({ sign: `−\u00a0${key}`, words: `${key} removed` })),
  ];
  if (all.length === 0) return <span className="absent">no value changed</span>;
  const text = all.slice(0, SHOWN).map(({ sign }) => sign);
  const more = all.length - SHOWN;
  return (
    <span title={all.map(({ words }) => words).join(', ')}>
      {text.join(', ')}
      {more > 0 ? ` and ${more} more` : ''}
    </span>
  );
}
