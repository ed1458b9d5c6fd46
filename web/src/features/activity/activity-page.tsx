import { Button, Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { useLayoutEffect, useRef } from 'react';
import { Link, useParams } from 'react-router';
import { useDeleted } from '../../api/queries.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { Empty } from '../../ui/empty.tsx';
import { NothingIn } from '../../ui/nothing-in.tsx';
import { NameFilter } from '../../ui/name-filter.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Select } from '../../ui/select.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { useAddressFilter } from '../../ui/use-address-filter.ts';
import { useNow } from '../../ui/use-now.ts';
import { ByCell, ChangedKeys, RowsByDay } from '../../ui/version-cells.tsx';
import { When } from '../../ui/when.tsx';
import { counted, formatNumber } from '../../values/format.ts';
import { eventsOf, filtered, type ActivityEvent, type SecretHistory } from './events.ts';
import { beginOf, PERIODS, useActivity, type Period } from './use-activity.ts';

/** Who changed what in a namespace, and when. */
export function ActivityPage() {
  const { namespace = '' } = useParams();
  // What was loaded for another namespace is no placeholder for this one.
  return <ActivityOf key={namespace} namespace={namespace} />;
}

function ActivityOf({ namespace }: { readonly namespace: string }) {
  const [address, setPeriod] = useAddressFilter('period');
  const period: Period = address === 'month' || address === 'all' ? address : 'week';
  const activity = useActivity(namespace, period);
  const deletions = useDeleted(namespace);
  const { data, error, refetch } = activity;
  const reload = () => {
    void refetch();
    void deletions.refetch();
  };
  return (
    <QueryScreen
      query={{ error, refetch, data: deletions.isPending ? undefined : data }}
      what="the activity"
      onRetry={reload}
      stale={{ alert: "Couldn't load more" }}
    >
      {({ pages }, alert) => (
        <Screen
          aside={
            <ReloadButton
              label="Refresh the activity"
              busy={activity.isFetching || deletions.isFetching}
              onClick={reload}
            />
          }
        >
          {alert}
          {deletions.error !== null && (
            <ProblemAlert title="Deletions are not shown" error={deletions.error} />
          )}
          <NothingIn
            namespace={namespace}
            isNothing={pages.every(({ secrets }) => secrets.length === 0) && deletions.data?.length === 0}
          >
            <Activity
              {...{ namespace, period, setPeriod, activity }}
              histories={pages.flatMap(({ histories }) => histories)}
              deleted={deletions.data ?? NONE}
            />
          </NothingIn>
        </Screen>
      )}
    </QueryScreen>
  );
}

const NONE: readonly DeletedSecret[] = [];

interface ActivityProps {
  readonly namespace: string;
  readonly period: Period;
  readonly setPeriod: (period: string) => void;
  readonly activity: ReturnType<typeof useActivity>;
  readonly histories: readonly SecretHistory[];
  readonly deleted: readonly DeletedSecret[];
}

function Activity({ namespace, period, setPeriod, activity, histories, deleted }: ActivityProps) {
  const since = beginOf(period, useNow());
  const [text, setText] = useAddressFilter('q');
  const [person, setPerson] = useAddressFilter('by');
  // Of another period, what is shown until this one is there says nothing of its end.
  const isOld = activity.isPlaceholderData;
  const hasMore = activity.hasNextPage || isOld;
  const events = eventsOf({ histories, hasMore, namespace, deleted, since });
  const shown = filtered(events, { person, text });
  const people = new Set([...events.flatMap(({ by }) => by ?? []), ...(person === '' ? [] : [person])]);
  const count = shown.length === events.length ? '' : `${formatNumber(shown.length)} of `;
  return (
    <>
      <div className="filters" role="search">
        <Select
          label="Period"
          value={period}
          options={PERIOD_LABELS}
          onChange={(chosen) => setPeriod(chosen === 'week' ? '' : chosen)}
        />
        <Select
          label="Changed by"
          value={person}
          options={[['', 'Anyone'], ...[...people].sort().map((one) => [one, one] as const)]}
          onChange={setPerson}
        />
        <NameFilter
          label="Filter by Secret or key"
          placeholder="Filter by Secret or key"
          text={text}
          onChange={setText}
          status={`${count}${counted(events.length, 'event')}${hasMore ? ' loaded' : ''}`}
        />
      </div>
      {shown.length > 0 && <EventTable events={shown} />}
      {shown.length === 0 && !isOld && <NoEvents {...{ period, hasMore }} isFiltered={events.length > 0} />}
      <More activity={activity} />
    </>
  );
}

const PERIOD_LABELS = [
  ['week', 'Last 7 days'],
  ['month', 'Last 30 days'],
  ['all', 'Any time'],
] as const;

const COLUMNS = ['Secret', 'Event', 'Changes', 'By', 'When'];

const COLORS = { created: 'green', 'created again': 'green', changed: 'blue', deleted: 'red' } as const;

function EventTable({ events }: { readonly events: readonly ActivityEvent[] }) {
  return (
    <SmallTable label="Events" columns={COLUMNS} widths={['22%', '1%', 'auto', '29%', '1%']}>
      <RowsByDay rows={events} timeOf={({ at }) => at} keyOf={({ id }) => id} columns={COLUMNS.length}>
        {({ kind, name, at, by, changes, otherwise, note, to }) => (
          <Tr>
            <Th scope="row">
              <Link to={to}>{name}</Link>
            </Th>
            <Td dataLabel="Event" className="fit">
              <span>
                <Label isCompact color={COLORS[kind]}>
                  {kind}
                </Label>
              </span>
            </Td>
            <Td dataLabel="Changes">
              <ChangedKeys changes={changes} otherwise={otherwise} />
              {/* What whoever made the change wrote about it. */}
              {note !== undefined && <div className="value-facts">{note}</div>}
            </Td>
            <ByCell email={by} />
            <Td dataLabel="When" className="fit">
              <When time={at} relative />
            </Td>
          </Tr>
        )}
      </RowsByDay>
    </SmallTable>
  );
}

interface NoEventsProps {
  readonly period: Period;
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
}

function NoEvents({ period, isFiltered, hasMore }: NoEventsProps) {
  if (isFiltered) {
    return (
      <Empty
        title="No matches"
        body={
          hasMore
            ? 'Nothing that is loaded matches. Show more to look further back.'
            : 'Change the filters to see other events.'
        }
      />
    );
  }
  return (
    <Empty
      title={period === 'all' ? 'No activity yet' : `No activity in the last ${PERIODS[period]} days`}
      body={`Created, changed and deleted Secrets appear here.${
        period === 'all' ? '' : ' Choose a longer period to look further back.'
      }`}
    />
  );
}

/** The way further back, and what is not there. */
function More({ activity }: Pick<ActivityProps, 'activity'>) {
  const { hasNextPage: hasMore, isFetching, loadMore } = activity;
  const end = useRef<HTMLParagraphElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    if (!hasMore && hadFocus.current) end.current?.focus();
    hadFocus.current = false;
  }, [hasMore]);
  return (
    <>
      {hasMore && (
        <Button
          variant="secondary"
          isLoading={isFetching}
          onFocus={() => (hadFocus.current = true)}
          onBlur={() => (hadFocus.current = false)}
          onClick={() => {
            if (!isFetching) loadMore();
          }}
        >
          Show more
        </Button>
      )}
      <p ref={end} tabIndex={-1} className="hint">
        Of a deleted Secret, only its deletion is shown. Permanent deletions and changes outside the service
        are not recorded.
      </p>
    </>
  );
}
