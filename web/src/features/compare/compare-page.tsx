import { Button } from '@patternfly/react-core';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useSecret } from '../../api/queries.ts';
import type { SecretDetail, SecretRef } from '../../api/secrets-api.ts';
import { comparePath } from '../../paths.ts';
import type { ComparisonWords } from '../../ui/key-changes.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Loading, Screen } from '../../ui/screen.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useNote } from '../form/review-dialog.tsx';
import { Comparison } from '../history/compare.tsx';
import { RestartOffer } from '../restart/restart-offer.tsx';
import { useAnswer } from '../search/use-search.ts';
import { CopyMissing, type CopyMissingProps } from './copy-missing.tsx';
import { nameOf } from './missing.ts';

/** Two Secrets side by side. Which is the other one is in the address; values are read once it is chosen. */
export function ComparePage() {
  const { namespace = '', name = '' } = useParams();
  const [search] = useSearchParams();
  const address = search.get('with') ?? '';
  const [otherNamespace = '', otherName = ''] = address.split('/');
  const here = { namespace, name };
  const there = { namespace: otherNamespace, name: otherName };
  const isChosen = otherName !== '' && nameOf(there) === address && address !== nameOf(here);
  return (
    <Screen>
      {isChosen ? (
        <TwoSecrets key={`${nameOf(here)} ${address}`} here={here} there={there} />
      ) : (
        <ChooseOther key={nameOf(here)} secret={here} />
      )}
    </Screen>
  );
}

function TwoSecrets({ here, there }: { readonly here: SecretRef; readonly there: SecretRef }) {
  const sides = [useSecret(here), useSecret(there)] as const;
  const [copiedTo, setCopiedTo] = useState<SecretRef>();
  const note = useNote();
  const reload = () => sides.forEach((side) => void side.refetch());
  const failed = sides.findIndex(({ error }) => error !== null);
  const [left, right] = [sides[0].data, sides[1].data];
  return (
    <div className="compared">
      <div className="actions">
        <span>
          {nameOf(here)} compared with {nameOf(there)}
        </span>
        <Link to={comparePath(here)}>Choose another Secret</Link>
      </div>
      {copiedTo !== undefined && <RestartOffer secret={copiedTo} onDone={() => setCopiedTo(undefined)} />}
      {failed !== -1 ? (
        <ProblemAlert
          title={`Couldn't read ${nameOf(failed === 0 ? here : there)}`}
          error={sides[failed]?.error}
          isRead
          actions={
            <Button variant="secondary" onClick={reload}>
              Try again
            </Button>
          }
        />
      ) : left === undefined || right === undefined ? (
        <Loading what="the values" />
      ) : (
        <Compared
          {...{ left, right, note }}
          onReload={reload}
          onCopied={(target) => {
            setCopiedTo(target);
            void sides[target === left ? 0 : 1].refetch();
          }}
        />
      )}
    </div>
  );
}

const WORDS: ComparisonWords = {
  label: 'Keys of both Secrets',
  column: 'Difference',
  added: 'only there',
  changed: 'different',
  renamed: 'renamed',
  removed: 'only here',
  same: 'equal',
  color: 'blue',
};

interface ComparedProps extends Pick<CopyMissingProps, 'note'> {
  readonly left: SecretDetail;
  readonly right: SecretDetail;
  readonly onReload: () => void;
  readonly onCopied: (target: SecretDetail) => void;
}

function Compared({ left, right, note, onReload, onCopied }: ComparedProps) {
  const copy = (source: SecretDetail, target: SecretDetail) => (
    <CopyMissing
      key={`${nameOf(target)} ${target.resourceVersion}`}
      {...{ source, target, note, onReload }}
      onCopied={() => {
        note[1]('');
        onCopied(target);
      }}
    />
  );
  const place = useRef<HTMLDivElement>(null);
  const revisions = `${left.resourceVersion} ${right.resourceVersion}`;
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    if (document.activeElement === document.body) place.current?.focus();
  }, [revisions]);
  return (
    <div ref={place} tabIndex={-1} className="compared">
      <div className="actions">
        {copy(left, right)}
        {copy(right, left)}
      </div>
      {/* What was revealed of another state is hidden again. */}
      <Comparison
        key={revisions}
        before={left}
        after={right}
        names={[nameOf(left), nameOf(right)]}
        of="Secrets"
        words={WORDS}
        showsAll
      />
    </div>
  );
}

/** As much text as the service reads. */
const MOST_TEXT = 256;

/** What is compared with: those with the same name first, any other by a search. Nothing is chosen beforehand. */
function ChooseOther({ secret }: { readonly secret: SecretRef }) {
  const id = useId();
  useLayoutEffect(() => {
    // The link that led here is no longer there. A new screen begins elsewhere.
    if (document.activeElement === document.body) document.getElementById('compare-search')?.focus();
  }, []);
  const [text, setText] = useState('');
  const words = text.slice(0, MOST_TEXT).trim();
  const { data, isError } = useAnswer(words === '' ? secret.name : words);
  const [namespace = '', name = '', ...rest] = words.split('/');
  // With namespace and name, no search is needed.
  const typed = name === '' || rest.length > 0 ? [] : [{ namespace, name, description: '' }];
  const found = [...typed, ...(data?.results ?? [])].filter((one) => {
    const isItself = one.namespace === secret.namespace && one.name === secret.name;
    return !isItself && (words !== '' || one.name === secret.name);
  });
  return (
    <>
      <TextField
        id="compare-search"
        type="search"
        label="Search for another Secret"
        value={text}
        help="By name, namespace or key, or as namespace/name. No value is read before you choose."
        onChange={setText}
      />
      <h2 id={id} className="section-title part-title">
        {words === '' ? `Also called ${secret.name}` : 'Found'}
      </h2>
      {found.length > 0 && (
        <ul aria-labelledby={id} className="secret-items">
          {found.map(({ namespace, name, description }) => (
            <li key={`${namespace}/${name}`}>
              <Link to={comparePath(secret, { namespace, name })}>{`${namespace}/${name}`}</Link>{' '}
              <span className="hint">{description}</span>
            </li>
          ))}
        </ul>
      )}
      {data === undefined && !isError && <Loading what="Secrets to compare with" />}
      <p role="status" className="hint">
        {isError && 'The search is not available right now. Type namespace/name instead.'}
        {data !== undefined &&
          found.length === 0 &&
          (words === ''
            ? 'No other namespace that you can see has a Secret of this name. Search for another one.'
            : 'No matches.')}
      </p>
    </>
  );
}
