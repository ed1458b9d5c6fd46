import { Divider, Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import EllipsisVIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useConfig } from '../../api/queries.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';
import { copyPath, DUPLICATE_HASH, editPath } from '../../paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { MENU_PLACE } from '../../ui/menu-place.ts';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { DeleteDialog } from '../delete/delete-dialog.tsx';
import { RestartDialog } from '../restart/restart-dialog.tsx';

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
  const close = () => setOpen(undefined);
  return (
    <div className="actions">
      {!isServiceAccountToken(summary?.type ?? '') && (
        <LinkButton to={editPath(secret)} variant="primary">
          Edit
        </LinkButton>
      )}
      <ReloadButton label="Reload this Secret" busy={isReloading} onClick={onReload} />
      <ActionMenu secret={secret} summary={summary} onOpen={setOpen} />
      {open?.what === 'restart' && <RestartDialog secret={secret} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteDialog
          secret={open.secret}
          onClose={close}
          onReload={() => {
            close();
            onReload();
          }}
        />
      )}
    </div>
  );
}

interface ActionMenuProps {
  readonly secret: SecretRef;
  readonly summary: SecretSummary | undefined;
  readonly onOpen: (what: Open) => void;
}

function ActionMenu({ secret, summary, onOpen }: ActionMenuProps) {
  const navigate = useNavigate();
  const { data } = useConfig();
  const [isOpen, setOpen] = useState(false);
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      popperProps={MENU_PLACE}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plain"
          aria-label="More actions"
          isExpanded={isOpen}
          icon={<EllipsisVIcon />}
          onClick={() => setOpen(!isOpen)}
        />
      )}
    >
      <DropdownList>
        <DropdownItem onClick={() => void navigate(copyPath(secret))}>Copy to…</DropdownItem>
        <DropdownItem onClick={() => void navigate(copyPath(secret) + DUPLICATE_HASH)}>
          Duplicate
        </DropdownItem>
        <Divider component="li" />
        {data?.restartEnabled === true && (
          <DropdownItem onClick={() => onOpen({ what: 'restart' })}>Restart workloads</DropdownItem>
        )}
        {data?.restartEnabled === true && <Divider component="li" />}
        <DropdownItem
          isDanger
          isDisabled={summary === undefined}
          onClick={() => summary !== undefined && onOpen({ what: 'delete', secret: summary })}
        >
          Delete
        </DropdownItem>
      </DropdownList>
    </Dropdown>
  );
}
