import { Tab, Tabs, TabTitleText, Divider, DropdownItem, DropdownList } from '@patternfly/react-core';
import { useEffect, useRef, type MouseEvent, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useHasConsumers, useExplanation } from '../../api/queries.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';
import {
  accessPath,
  consumersPath,
  detailPath,
  historyPath,
  comparePath,
  copyPath,
  editPath,
  listPath,
} from '../../paths.ts';
import { usePlaces } from '../../places/use-places.ts';
import { Screen } from '../../ui/screen.tsx';
import { useTabCounts, type TabCounts } from './use-summary.ts';
import { dueDatesOf } from '../../values/expiry.ts';
import { formatNumber } from '../../values/format.ts';
import { DuplicateItem } from '../../ui/duplicate-item.tsx';
import { DueLabel } from '../../ui/due-label.tsx';
import { StateLabels } from '../../ui/state-labels.tsx';
import { TypeLabel } from '../../ui/type-label.tsx';
import { When } from '../../ui/when.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { StarButton } from './star-button.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import type { AccessLevel } from '../../../../src/contract/access-rules.ts';
import { DeleteDialog } from '../delete/delete-dialog.tsx';
import { RestartDialog } from '../restart/restart-dialog.tsx';
import { useMayRestart } from '../restart/use-may-restart.ts';
import { allows } from '../../editing/rules.ts';
import { allowsChange } from '../../editing/secret-types.ts';

const TABS = {
  values: { title: 'Values', pathOf: detailPath },
  history: { title: 'History', pathOf: historyPath },
  usedBy: { title: 'Used by', pathOf: consumersPath },
  access: { title: 'Access', pathOf: accessPath },
};

type SecretTab = keyof typeof TABS;

interface SecretFrameProps {
  readonly secret: SecretRef;
  /** Undefined while it is not known. */
  readonly summary: SecretSummary | undefined;
  readonly tab: SecretTab;
  readonly isReloading?: boolean;
  readonly onReload: () => void;
  /** How much is behind a tab, where the page has it. */
  readonly counts?: TabCounts;
  /** Alerts about the Secret, above the tabs. */
  readonly alerts?: ReactNode;
  readonly children: ReactNode;
}

/** A Secret: what it is, what can be done with it, and its parts, each with an address of its own. */
export function SecretFrame(props: SecretFrameProps) {
  const { secret, summary, tab, isReloading = false, onReload, counts = {}, alerts, children } = props;
  const { namespace, name } = secret;
  const { visitSecret } = usePlaces();
  const exists = summary !== undefined;
  useEffect(() => {
    if (exists) visitSecret({ namespace, name });
  }, [exists, namespace, name, visitSecret]);
  return (
    <Screen aside={<SecretActions {...{ secret, summary, isReloading, onReload }} />}>
      {summary !== undefined && <SecretLine secret={summary} />}
      {alerts}
      <SecretTabs {...{ secret, summary, tab, counts }} />
      <section id={PANEL} role="tabpanel" aria-label={TABS[tab].title} className="tab-body">
        {children}
      </section>
    </Screen>
  );
}

const PANEL = 'secret-part';

interface SecretTabsProps extends Pick<SecretFrameProps, 'secret' | 'summary' | 'tab'> {
  readonly counts: TabCounts;
}

function SecretTabs({ secret, summary, tab, counts: known }: SecretTabsProps) {
  const navigate = useNavigate();
  const counts: Partial<Record<SecretTab, number | undefined>> = useTabCounts(secret, summary, known);
  // Whoever is there by a link finds the tab, too.
  const hasConsumers = useHasConsumers() || tab === 'usedBy';
  const shown = (Object.keys(TABS) as SecretTab[]).filter((name) => name !== 'usedBy' || hasConsumers);
  const onClick = (to: string) => (event: MouseEvent) => {
    // Anything else, such as a new tab, is the browser's own.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(to);
  };
  return (
    <div ref={useSelectedInSight(tab)}>
      <Tabs activeKey={tab} tabListAriaLabel="Parts of this Secret" className="secret-tabs">
        {shown.map((name) => (
          <Tab
            key={name}
            eventKey={name}
            tabContentId={PANEL}
            href={TABS[name].pathOf(secret)}
            onClick={onClick(TABS[name].pathOf(secret))}
            title={<TabTitleText>{titleOf(name, counts[name])}</TabTitleText>}
          />
        ))}
      </Tabs>
    </div>
  );
}

/** Where not all tabs fit, the one that is open is never out of sight. The page itself is not scrolled. */
function useSelectedInSight(tab: SecretTab) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = place.current?.querySelector('[role=tablist]');
    const selected = list?.querySelector('[aria-selected=true]')?.getBoundingClientRect();
    if (!(list instanceof HTMLElement) || selected === undefined) return;
    const { left, right } = list.getBoundingClientRect();
    list.scrollLeft += Math.max(0, selected.right - right) + Math.min(0, selected.left - left);
  }, [tab]);
  return place;
}

function titleOf(tab: SecretTab, count: number | undefined): string {
  const { title } = TABS[tab];
  return count === undefined ? title : `${title} ${formatNumber(count)}`;
}

/** What a Secret is, in one line: what it is for, its type, its version, and who changed it last. */
function SecretLine({ secret }: { readonly secret: SecretSummary }) {
  const { description, type, version, creationTimestamp, lastModifiedAt, lastModifiedBy } = secret;
  return (
    <div className="secret-line">
      {description !== '' && <p className="description">{description}</p>}
      <ul className="facts-line" aria-label="Facts">
        <li>
          <TypeLabel type={type} />
        </li>
        <li>version {version}</li>
        <li>
          {lastModifiedAt === undefined ? (
            <>
              created <When time={creationTimestamp} relative />
            </>
          ) : (
            <>
              changed <When time={lastModifiedAt} relative /> {lastModifiedBy !== undefined && 'by '}
              <bdi>{lastModifiedBy}</bdi>
            </>
          )}
        </li>
        {dueDatesOf(secret)
          .filter(({ kind }) => kind !== 'certificate')
          .map((due) => (
            <li key={due.kind}>
              <DueLabel due={due} isAlwaysShown />
            </li>
          ))}
        {!secret.managedByService && <li>not managed here</li>}
        {(secret.deletionTimestamp !== undefined || secret.immutable) && (
          <li className="labels">
            <StateLabels secret={secret} />
          </li>
        )}
      </ul>
    </div>
  );
}

type SecretActionsProps = Required<Pick<SecretFrameProps, 'secret' | 'summary' | 'isReloading' | 'onReload'>>;

type Open =
  | { readonly what: 'restart' }
  /** The state that was shown then: a newer one must not be deleted unseen. */
  | { readonly what: 'delete'; readonly secret: SecretSummary };

/** Edit is the one that people come for; the rest is a menu. */
function SecretActions({ secret, summary, isReloading, onReload }: SecretActionsProps) {
  const [open, setOpen] = useState<Open>();
  const navigate = useNavigate();
  const { data: access, refetch } = useExplanation(secret);
  const reload = () => {
    onReload();
    // The tab of the access rules has read it again by then.
    void refetch({ cancelRefetch: false });
  };
  const may = (level: AccessLevel) => allows(access?.level, level);
  const close = () => setOpen(undefined);
  return (
    <div className="actions">
      {allowsChange(access?.level, 'write', summary?.type ?? '') && (
        <LinkButton to={editPath(secret)} variant="primary">
          Edit
        </LinkButton>
      )}
      <StarButton secret={secret} />
      <ReloadButton label="Reload this Secret" busy={isReloading} onClick={reload} />
      <Menu secret={secret} summary={summary} may={may} onOpen={setOpen} />
      {open?.what === 'restart' && <RestartDialog secret={secret} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteDialog
          secrets={[open.secret]}
          onClose={close}
          onDeleted={(isPending) => {
            close();
            if (isPending) reload();
            else void navigate(listPath(secret.namespace));
          }}
          onReload={() => {
            close();
            reload();
          }}
        />
      )}
    </div>
  );
}

interface MenuProps extends Pick<SecretFrameProps, 'secret' | 'summary'> {
  readonly may: (level: AccessLevel) => boolean;
  readonly onOpen: (what: Open) => void;
}

function Menu({ secret, summary, may, onOpen }: MenuProps) {
  const navigate = useNavigate();
  const mayRestart = useMayRestart(secret);
  return (
    <ActionMenu label="More actions">
      <DropdownList>
        <DropdownItem onClick={() => void navigate(copyPath(secret))}>Copy to…</DropdownItem>
        <DuplicateItem secret={secret} />
        <DropdownItem onClick={() => void navigate(comparePath(secret))}>Compare with…</DropdownItem>
        {(mayRestart || may('manage')) && <Divider component="li" />}
        {mayRestart && (
          <DropdownItem onClick={() => onOpen({ what: 'restart' })}>Restart workloads</DropdownItem>
        )}
        {mayRestart && may('manage') && <Divider component="li" />}
        {may('manage') && (
          <DropdownItem
            isDanger
            isDisabled={summary === undefined}
            onClick={() => summary !== undefined && onOpen({ what: 'delete', secret: summary })}
          >
            Delete
          </DropdownItem>
        )}
      </DropdownList>
    </ActionMenu>
  );
}
