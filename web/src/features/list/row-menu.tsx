import {
  Menu,
  MenuContainer,
  MenuContent,
  MenuGroup,
  MenuItem,
  MenuList,
  MenuToggle,
} from '@patternfly/react-core';
import EllipsisVIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import type { SecretSummary, SecretRef } from '../../api/secrets-api.ts';
import { copyPath, DUPLICATE_HASH, editPath, historyPath } from '../../paths.ts';
import { useLater } from '../../ui/use-later.ts';
import { MENU_PLACE } from '../../ui/menu-place.ts';
import { useLevelOn } from '../../api/queries.ts';
import { allows } from '../../editing/rules.ts';
import { useApi } from '../../api/api-context.ts';
import { textOf } from '../../../../src/contract/text.ts';
import { copyText } from '../../ui/copy-text.ts';
import { useNotify } from '../../ui/notices.tsx';

export interface RowMenuProps {
  readonly secret: SecretSummary;
  readonly onDelete: (secret: SecretSummary) => void;
}

/** What can be done with a Secret without opening it. The menu itself is made when it is opened: there are many rows. */
export function RowMenu({ secret, onDelete }: RowMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <>
      <MenuToggle
        ref={toggle}
        variant="plain"
        icon={<EllipsisVIcon />}
        isExpanded={isOpen}
        aria-label={`Actions for ${secret.name}`}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Actions secret={secret} toggle={toggle} onClose={() => setOpen(false)} onDelete={onDelete} />
      )}
    </>
  );
}

interface ActionsProps extends RowMenuProps {
  readonly toggle: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

function Actions({ secret, toggle, onClose, onDelete }: ActionsProps) {
  const menu = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  // PatternFly places only menus that open after they were drawn for the first time.
  const isMounted = useLater();
  const copyKey = useCopyKey(secret);
  const actions: Readonly<Record<string, () => void>> = {
    edit: () => void navigate(editPath(secret)),
    copy: () => void navigate(copyPath(secret)),
    duplicate: () => void navigate(copyPath(secret) + DUPLICATE_HASH),
    history: () => void navigate(historyPath(secret)),
    delete: () => onDelete(secret),
  };
  return (
    <MenuContainer
      isOpen={isMounted}
      onOpenChange={onClose}
      menuRef={menu}
      toggleRef={toggle}
      toggle={<></>}
      // The table scrolls, and would cut it off.
      popperProps={MENU_PLACE}
      menu={
        <Menu
          ref={menu}
          onSelect={(_event, action) => {
            onClose();
            toggle.current?.focus();
            const key = keyOf(String(action));
            if (key === undefined) actions[String(action)]?.();
            else void copyKey(key);
          }}
        >
          <MenuContent>
            <Items secret={secret} />
          </MenuContent>
        </Menu>
      }
    />
  );
}

/** More would fill the window; all are on the page of the Secret. */
const MOST_KEYS = 5;
const COPY = 'copy:';

const keyOf = (action: string): string | undefined =>
  action.startsWith(COPY) ? action.slice(COPY.length) : undefined;

function Items({ secret }: { readonly secret: SecretSummary }) {
  const { namespace, name, keys } = secret;
  const level = useLevelOn(namespace)(secret);
  const mayWrite = allows(level, 'write');
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // It is placed a moment after it is drawn, and can take the focus only then.
    const timer = window.setTimeout(() => first.current?.focus({ preventScroll: true }));
    return () => window.clearTimeout(timer);
  }, [mayWrite]);
  return (
    <>
      <MenuList aria-label={`Actions for ${name}`}>
        {mayWrite && (
          <MenuItem itemId="edit" ref={first}>
            Edit
          </MenuItem>
        )}
        <MenuItem itemId="history" {...(mayWrite ? {} : { ref: first })}>
          History
        </MenuItem>
        <MenuItem itemId="copy">Copy to…</MenuItem>
        <MenuItem itemId="duplicate">Duplicate</MenuItem>
        {allows(level, 'manage') && (
          <MenuItem itemId="delete" isDanger>
            Delete
          </MenuItem>
        )}
      </MenuList>
      {keys.length > 0 && (
        <MenuGroup label="Copy a value">
          <MenuList aria-label="Copy a value">
            {keys.slice(0, MOST_KEYS).map((key) => (
              <MenuItem key={key} itemId={COPY + key}>
                {key}
              </MenuItem>
            ))}
          </MenuList>
        </MenuGroup>
      )}
    </>
  );
}

/** Reads one value, which is audited like any other read, and copies it without showing it. */
function useCopyKey({ namespace, name }: SecretRef): (key: string) => Promise<void> {
  const api = useApi();
  const notify = useNotify();
  return async (key) => {
    const warn = (text: string) => notify(text, { variant: 'warning' });
    try {
      const value = textOf((await api.readKey({ namespace, name }, key)).bytes);
      if (value !== undefined) await copyText(value);
      if (value === undefined) warn(`${key} was not copied: it is binary.`);
      else notify(`${key} is copied.`);
    } catch {
      // The browser refuses, or the value cannot be read: its own page says why.
      warn(`Couldn't copy ${key}. Open the Secret to see why.`);
    }
  };
}
