import { Button } from '@patternfly/react-core';
import { useMemo } from 'react';
import { lineDiff, type DiffLine } from '../values/line-diff.ts';
import { useReveal } from './use-reveal.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '−', note: '\\' };

interface LineDiffProps {
  readonly of: string;
  readonly before: string;
  readonly after: string;
}

/** Groups of lines, each line marked by a sign and not by its color alone. */
export function Lines({ of, before, after }: LineDiffProps) {
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

/** The lines of two texts that differ, once someone wants to see them; they hide like every value. */
export function LineDiff({ of, before, after }: LineDiffProps) {
  const { shown, toggle } = useReveal();
  return (
    <>
      <Button variant="link" isInline aria-expanded={shown} onClick={toggle}>
        {shown ? `Hide the lines of ${of}` : `Show the lines of ${of} that differ`}
      </Button>
      {shown && <Lines of={of} before={before} after={after} />}
    </>
  );
}
