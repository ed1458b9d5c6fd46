import { Title } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import type { SecretSummary, VersionList } from '../../api/secrets-api.ts';
import { SmallTable } from '../../ui/small-table.tsx';
import { When } from '../../ui/when.tsx';
import { keyHistories } from './states.ts';

export interface KeyTableProps {
  readonly list: VersionList;
  /** Undefined while it is not known, or when it is of another version than the list. */
  readonly live: SecretSummary | undefined;
}

/** A Secret may have thousands. */
const MOST = 50;

/** Key by key: who changed it last, when, and in which version. */
export function KeyTable({ list, live }: KeyTableProps) {
  const keys = keyHistories(list, live);
  if (keys.length === 0) return null;
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        Keys
      </Title>
      <SmallTable
        label="Keys"
        columns={['Key', 'Last change', 'By', 'Made']}
        widths={['auto', '30%', '22%', '9rem']}
      >
        {keys.slice(0, MOST).map(({ key, what, version, by, at }) => (
          <Tr key={key}>
            <Th scope="row">{key}</Th>
            <Td dataLabel="Last change">
              {what === 'not changed since' ? `${what} version ${version}` : `${what} in version ${version}`}
            </Td>
            <Td dataLabel="By">{by ?? <span className="absent">unknown</span>}</Td>
            <Td dataLabel="Made">
              {at === undefined ? <span className="absent">unknown</span> : <When time={at} relative />}
            </Td>
          </Tr>
        ))}
      </SmallTable>
      {keys.length > MOST && <p className="hint">and {keys.length - MOST} more</p>}
    </>
  );
}
