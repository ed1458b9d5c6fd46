import { DropdownGroup, DropdownItem, DropdownList } from '@patternfly/react-core';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { SecretSummary, SecretRef } from '../../api/secrets-api.ts';
import { copyPath, DUPLICATE_HASH, editPath, historyPath } from '../../paths.ts';
import { LazyActionMenu } from '../../ui/action-menu.tsx';
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

/** What can be done with a Secret without opening it. */
export function RowMenu(props: RowMenuProps) {
  return (
    <LazyActionMenu label={`Actions for ${props.secret.name}`}>
      <Items {...props} />
    </LazyActionMenu>
  );
}

/** More would fill the window; all are on the page of the Secret. */
const MOST_KEYS = 5;

function Items({ secret, onDelete }: RowMenuProps) {
  const { namespace, name, keys } = secret;
  const level = useLevelOn(namespace)(secret);
  const mayWrite = allows(level, 'write');
  const navigate = useNavigate();
  const copyKey = useCopyKey(secret);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // It is placed a moment after it is drawn, and can take the focus only then.
    const timer = window.setTimeout(() => first.current?.focus({ preventScroll: true }));
    return () => window.clearTimeout(timer);
  }, [mayWrite]);
  const item = (text: string, to: string, ref?: typeof first) => (
    <DropdownItem {...(ref && { ref })} onClick={() => void navigate(to)}>
      {text}
    </DropdownItem>
  );
  return (
    <>
      <DropdownList aria-label={`Actions for ${name}`}>
        {mayWrite && item('Edit', editPath(secret), first)}
        {item('History', historyPath(secret), mayWrite ? undefined : first)}
        {item('Copy to…', copyPath(secret))}
        {item('Duplicate', copyPath(secret) + DUPLICATE_HASH)}
        {allows(level, 'manage') && (
          <DropdownItem isDanger onClick={() => onDelete(secret)}>
            Delete
          </DropdownItem>
        )}
      </DropdownList>
      {keys.length > 0 && (
        <DropdownGroup label="Copy a value">
          <DropdownList aria-label="Copy a value">
            {keys.slice(0, MOST_KEYS).map((key) => (
              <DropdownItem key={key} onClick={() => void copyKey(key)}>
                {key}
              </DropdownItem>
            ))}
          </DropdownList>
        </DropdownGroup>
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
