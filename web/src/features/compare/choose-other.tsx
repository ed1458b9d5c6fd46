import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { SecretRef } from '../../api/secrets-api.ts';
import { comparePath } from '../../paths.ts';
import { Loading } from '../../ui/screen.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useAnswer } from '../search/use-search.ts';

/** As much text as the service reads. */
const MOST_TEXT = 256;

/** What is compared with: those with the same name first, any other by a search. Nothing is chosen beforehand. */
export function ChooseOther({ secret }: { readonly secret: SecretRef }) {
  const id = useId();
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
