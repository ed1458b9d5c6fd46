import { useMemo } from 'react';
import { lineDiff, type DiffLine } from '../values/line-diff.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '−', note: '\\' };

export interface LineDiffProps {
  readonly of: string;
  readonly before: string;
  readonly after: string;
}

/** Groups of lines, each line marked by a sign and not by its color alone. */
export function LineDiffLines({ of, before, after }: LineDiffProps) {
  const groups = useMemo(() => lineDiff(before, after), [before, after]);
  if (groups === undefined) {
    return <p className="hint">Too large or too different to be compared line by line.</p>;
  }
  return (
    <div className="line-diff" role="group" tabIndex={0} aria-label={`Lines of ${of} that differ`}>
      {groups.map((lines, group) => (
        <div key={group} className="line-group">
          {lines.map(({ kind, text }, at) => (
            <div key={at} className={`diff-line ${kind}`}>
              <span aria-hidden="true">{SIGNS[kind]}</span>
              <code>
                {(kind === 'added' || kind === 'removed') && (
                  <span className="pf-v6-screen-reader">{kind} </span>
                )}
                {text}
              </code>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
