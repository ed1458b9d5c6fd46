import { Divider, DropdownItem, DropdownList } from '@patternfly/react-core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useConfig, useExplanation } from '../../api/queries.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';
import { comparePath, copyPath, DUPLICATE_HASH, editPath, listPath } from '../../paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import type { AccessLevel } from '../../../../src/contract/access-rules.ts';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { DeleteDialog } from '../delete/delete-dialog.tsx';
import { RestartDialog } from '../restart/restart-dialog.tsx';
import { allows } from '../../editing/rules.ts';

export interface SecretActionsProps {
  readonly secret: SecretRef;
  readonly summary: SecretSummary | undefined;
  readonly isReloading: boolean;
  readonly onReload: () => void;
}

type Open =
  | { readonly what: 'restart' }
  /** The state that was shown then: a newer one must not be deleted unseen. */
  | { readonly what: 'delete'; readonly secret: SecretSummary };

/** Edit is the one that people come for; the rest is a menu. */
export function SecretActions({ secret, summary, isReloading, onReload }: SecretActionsProps) {
  const [open, setOpen] = useState<Open>();
  const navigate = useNavigate();
  const { data: access } = useExplanation(secret);
  const may = (level: AccessLevel) => allows(access?.level, level);
  const close = () => setOpen(undefined);
  return (
    <div className="actions">
      {may('write') && !isServiceAccountToken(summary?.type ?? '') && (
        <LinkButton to={editPath(secret)} variant="primary">
          Edit
        </LinkButton>
      )}
      <ReloadButton label="Reload this Secret" busy={isReloading} onClick={onReload} />
      <Menu secret={secret} summary={summary} may={may} onOpen={setOpen} />
      {open?.what === 'restart' && <RestartDialog secret={secret} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteDialog
          secrets={[open.secret]}
          onClose={close}
          onDeleted={(isPending) => {
            close();
            if (isPending) onReload();
            else void navigate(listPath(secret.namespace));
          }}
          onReload={() => {
            close();
            onReload();
          }}
        />
      )}
    </div>
  );
}

interface MenuProps {
  readonly secret: SecretRef;
  readonly summary: SecretSummary | undefined;
  readonly may: (level: AccessLevel) => boolean;
  readonly onOpen: (what: Open) => void;
}

function Menu({ secret, summary, may, onOpen }: MenuProps) {
  const navigate = useNavigate();
  const { data } = useConfig();
  const canRestart = data?.restartEnabled === true && may('write');
  return (
    <ActionMenu label="More actions">
      <DropdownList>
        <DropdownItem onClick={() => void navigate(copyPath(secret))}>Copy to…</DropdownItem>
        <DropdownItem onClick={() => void navigate(copyPath(secret) + DUPLICATE_HASH)}>
          Duplicate
        </DropdownItem>
        <DropdownItem onClick={() => void navigate(comparePath(secret))}>Compare with…</DropdownItem>
        {(canRestart || may('manage')) && <Divider component="li" />}
        {canRestart && (
          <DropdownItem onClick={() => onOpen({ what: 'restart' })}>Restart workloads</DropdownItem>
        )}
        {canRestart && may('manage') && <Divider component="li" />}
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
