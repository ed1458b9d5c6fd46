import { Label, Skeleton } from '@patternfly/react-core';
import { Fragment, useId, useState, type ReactNode } from 'react';
import { Link, Navigate } from 'react-router';
import { MOST_NAMESPACES, useExpiring, useLately, useNamespaces } from '../../api/queries.ts';
import type { Namespaces, SecretRef } from '../../api/secrets-api.ts';
import { takeReturnAddress } from '../../session/return-address.ts';
import { DueLabel } from '../../ui/due-label.tsx';
import { NameFilter, useNameFilter } from '../../ui/name-filter.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { SecretItems, type SecretItemsProps } from '../../ui/secret-items.tsx';
import { Empty } from '../../ui/empty.tsx';
import { StarButton } from '../secret/star-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { When } from '../../ui/when.tsx';
import { inOrderOfUse, isSecret } from '../../places/places.ts';
import { usePlaces } from '../../places/use-places.ts';
import { activityPath, detailPath, expiringPath, historyPath, listPath } from '../../paths.ts';
import { dueDatesOf } from '../../values/expiry.ts';
import { counted } from '../../values/format.ts';

/** Where everything begins: what needs someone, what happened, then the namespaces in scope. */
export function HomePage() {
  const [returnTo] = useState(takeReturnAddress);
  const query = useNamespaces();
  if (returnTo !== undefined) return <Navigate to={returnTo} replace />;
  return (
    <QueryScreen query={query} what="the namespaces" stale="shown">
      {(namespaces) => (
        <Screen>
          {namespaces.length === 0 ? (
            <Empty title="No namespaces yet" body="Contact an administrator to have your namespace added." />
          ) : (
            <>
              <div className="home">
                <div className="home-column">
                  <NeedsAttention />
                  <Places />
                </div>
                <Lately namespaces={namespaces} />
              </div>
              <NamespaceList namespaces={namespaces} />
            </>
          )}
        </Screen>
      )}
    </QueryScreen>
  );
}

interface PartProps<Item extends SecretRef> extends Omit<SecretItemsProps<Item>, 'labelledBy' | 'secrets'> {
  readonly title: string;
  readonly query: { readonly data?: readonly Item[] | undefined; readonly error: unknown };
  /** Said where there is nothing. */
  readonly empty: string;
  readonly children?: ReactNode;
}

/** One that fails leaves the others as they are. */
function HomePart<Item extends SecretRef>({ title, query, empty, children, ...items }: PartProps<Item>) {
  const id = useId();
  const { data, error } = query;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="part-title">
        {title}
      </h2>
      {error !== null && <ProblemAlert title="Not available right now" error={error} />}
      {data === undefined && error === null && <Skeleton screenreaderText={`Loading: ${title}`} />}
      {data?.length === 0 && <p className="hint">{empty}</p>}
      {data !== undefined && data.length > 0 && <SecretItems labelledBy={id} secrets={data} {...items} />}
      {children}
    </section>
  );
}

const MOST_URGENT = 5;
const NOTHING = 'Nothing expires within 30 days. Edit a Secret to be reminded of it.';
const NOT_ALL = 'Nothing expires within 30 days where it could be read. Not every namespace could.';

function NeedsAttention() {
  const { data, error } = useExpiring();
  const count = data?.items.length ?? 0;
  return (
    <HomePart
      title="Needs attention"
      query={{ data: data?.items.slice(0, MOST_URGENT), error }}
      empty={data?.more === true ? NOT_ALL : NOTHING}
      pathOf={detailPath}
      about={(secret) => <DueLabel due={dueDatesOf(secret)[0]} />}
    >
      {count > MOST_URGENT && <Link to={expiringPath}>Show all {count}</Link>}
    </HomePart>
  );
}

/** As far as lists say: the last change of each Secret, with a link to its history. */
function Lately({ namespaces }: { readonly namespaces: Namespaces }) {
  const { places } = usePlaces();
  const names = namespaces.map(({ name }) => name);
  const query = useLately(inOrderOfUse(names, places));
  const where = names.length > MOST_NAMESPACES ? ' in the namespaces that you use most' : '';
  const changed = [...new Set(query.data?.map(({ namespace }) => namespace))];
  return (
    <HomePart
      title="Lately"
      query={query}
      empty={`No Secret was created or changed yet${where}. Open a namespace to create one.`}
      pathOf={historyPath}
      about={({ version, lastModifiedBy, lastModifiedAt, creationTimestamp }) => (
        <span className="hint">
          {version === 1 ? 'created' : 'changed'} <When time={lastModifiedAt ?? creationTimestamp} relative />
          {lastModifiedBy !== undefined && ' by '}
          <bdi>{lastModifiedBy}</bdi>
        </span>
      )}
    >
      {changed.length > 0 && (
        <p>
          Activity in{' '}
          {changed.map((name, index) => (
            <Fragment key={name}>
              {index > 0 && ', '}
              <Link to={activityPath(name)} aria-label={`Activity of ${name}`}>
                {name}
              </Link>
            </Fragment>
          ))}
        </p>
      )}
    </HomePart>
  );
}

/** Those with a star, then what else was opened last in this browser. Each part is left out while it is empty. */
function Places() {
  const { starredSecrets, recentSecrets } = usePlaces().places;
  const others = recentSecrets.filter((one) => !starredSecrets.some(isSecret(one)));
  const parts = { Starred: starredSecrets, 'Recently opened': others };
  return Object.entries(parts)
    .filter(([, secrets]) => secrets.length > 0)
    .map(([title, secrets]) => (
      <HomePart
        key={title}
        title={title}
        query={{ data: secrets, error: null }}
        empty=""
        pathOf={detailPath}
        about={(secret) => <StarButton secret={secret} />}
      />
    ));
}

function NamespaceList({ namespaces }: { readonly namespaces: Namespaces }) {
  const { text, setText, shown } = useNameFilter(namespaces);
  const { recentNamespaces } = usePlaces().places;
  const last = recentNamespaces.find((one) => namespaces.some(({ name }) => name === one));
  return (
    <>
      <h2 className="part-title">Namespaces</h2>
      {last !== undefined && (
        <p>
          Continue with <Link to={listPath(last)}>{last}</Link>
        </p>
      )}
      <NameFilter
        label="Filter namespaces by name"
        text={text}
        onChange={setText}
        status={`${shown.length} of ${counted(namespaces.length, 'namespace')}`}
      />
      <ul aria-label="Namespaces" className="namespaces">
        {shown.map(({ name, canCreate }) => (
          <li key={name}>
            <Link to={listPath(name)}>{name}</Link> {!canCreate && <Label isCompact>read only</Label>}
          </li>
        ))}
      </ul>
    </>
  );
}
