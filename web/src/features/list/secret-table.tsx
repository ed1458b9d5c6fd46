import { memo, type RefObject } from 'react';
import { Link } from 'react-router';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { StateLabels } from '../../ui/state-labels.tsx';
import { When } from '../../ui/when.tsx';
import { changedAt, type Column, type View } from './list-view.ts';
import { rowsToDraw } from './rows-to-draw.ts';
import { useFocusedRow, useRowHeight, useWindow } from './use-window.ts';
import { detailPath } from '../../paths.ts';

const COLUMNS: readonly { readonly id: Column | 'access' | 'state'; readonly label: string }[] = [
  { id: 'name', label: 'Name' },
  { id: 'type', label: 'Type' },
  { id: 'keys', label: 'Keys' },
  { id: 'access', label: 'Access' },
  { id: 'state', label: 'State' },
  { id: 'version', label: 'Version' },
  { id: 'changed', label: 'Last change' },
];

export interface SecretTableProps {
  readonly secrets: readonly SecretSummary[];
  readonly view: View;
  readonly onSort: (column: Column) => void;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
}

/** A table that draws only what is in sight, however many Secrets there are. */
export function SecretTable({ secrets, view, onSort, scroller, onScroll }: SecretTableProps) {
  const rowHeight = useRowHeight();
  const { from, to } = useWindow(scroller, secrets.length, rowHeight);
  const { focused, handlers } = useFocusedRow(secrets);
  return (
    <div
      className="table-scroll"
      ref={scroller}
      role="region"
      aria-label="Secrets, scrollable"
      tabIndex={0}
      onScroll={onScroll}
    >
      <table className="secrets" aria-label="Secrets" aria-rowcount={secrets.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map(({ id, label }) => (
              <Heading key={id} id={id} label={label} view={view} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody {...handlers}>
          {rowsToDraw({ from, to, focused, count: secrets.length }).map((row) => {
            const secret = typeof row === 'number' ? secrets[row] : undefined;
            if (typeof row !== 'number') return <Spacer key={row.id} height={row.rows * rowHeight} />;
            return secret && <SecretRow key={secret.name} secret={secret} index={row} />;
          })}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps extends Pick<SecretTableProps, 'view' | 'onSort'> {
  readonly id: Column | 'access' | 'state';
  readonly label: string;
}

function Heading({ id, label, view, onSort }: HeadingProps) {
  if (id === 'access' || id === 'state') {
    return (
      <th scope="col" className={`col-${id}`}>
        {label}
      </th>
    );
  }
  const direction = view.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" className={`col-${id}`} aria-sort={view.sort === id ? direction : 'none'}>
      <button type="button" className="sort" onClick={() => onSort(id)}>
        {label} <span aria-hidden="true">{view.sort === id ? (view.descending ? '▼' : '▲') : ''}</span>
      </button>
    </th>
  );
}

/** Stands in for rows that are not drawn. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden="true" className="spacer">
      <td colSpan={COLUMNS.length} style={{ height }} />
    </tr>
  );
}

const SecretRow = memo(function SecretRow({
  secret,
  index,
}: {
  readonly secret: SecretSummary;
  readonly index: number;
}) {
  const { name, type, keys, description, version, lastModifiedBy } = secret;
  return (
    <tr aria-rowindex={index + 2} data-row={index}>
      <th scope="row" className="col-name">
        <Link to={detailPath(secret)} title={name}>
          {name}
        </Link>
        <span className="second-line" title={description}>
          {description}
        </span>
      </th>
      <td className="col-type" title={type}>
        {type}
      </td>
      <td className="col-keys" title={keys.join(', ')}>
        {keys.length}
        <span className="second-line">{keys.slice(0, 3).join(', ')}</span>
      </td>
      <td className="col-access" title={accessText(secret)}>
        {accessText(secret)}
      </td>
      <td className="col-state">
        <StateLabels secret={secret} />
      </td>
      <td className="col-version">{version}</td>
      <td className="col-changed">
        <When time={changedAt(secret)} relative />
        <span className="second-line" title={lastModifiedBy}>
          {lastModifiedBy}
        </span>
      </td>
    </tr>
  );
});

function accessText({
  allowedGroups,
  allowedUsers,
}: Pick<SecretSummary, 'allowedGroups' | 'allowedUsers'>): string {
  const principals = [...allowedGroups, ...allowedUsers];
  if (principals.length === 0) return 'by namespace';
  return principals.length <= 2
    ? principals.join(', ')
    : `${principals.slice(0, 2).join(', ')} and ${principals.length - 2} more`;
}
