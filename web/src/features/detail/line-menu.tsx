import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import EllipsisVIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon';
import { useEffect, useRef, useState } from 'react';
import { Done, useDone } from '../../ui/done-note.tsx';
import { download } from '../../ui/download.ts';
import { MENU_PLACE } from '../../ui/menu-place.ts';
import { base64Of } from '../../values/bytes.ts';
import { printCommand, secretKeyRef, variableOf } from '../../values/exports.ts';
import type { ReadValue } from './named-value.ts';

export interface LineMenuProps {
  readonly namespace: string;
  readonly secret: string;
  readonly name: string;
  readonly readValue: ReadValue;
}

/** What else can be done with a value. There may be hundreds, so the menu itself is made when it is first opened. */
export function LineMenu(props: LineMenuProps) {
  const [wasOpened, setOpened] = useState(false);
  if (wasOpened) return <OpenedMenu {...props} />;
  return (
    <MenuToggle
      variant="plain"
      aria-label={`More for ${props.name}`}
      icon={<EllipsisVIcon />}
      onClick={() => setOpened(true)}
    />
  );
}

function OpenedMenu({ namespace, secret, name, readValue }: LineMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const { note, run, copy } = useDone();
  // It takes the place of the toggle that was clicked, and opens after that click, which would close it again.
  useEffect(() => {
    toggle.current?.focus();
    const timer = window.setTimeout(() => setOpen(true));
    return () => window.clearTimeout(timer);
  }, []);
  const copyAs = (source: Parameters<typeof copy>[0], what: string) => copy(source, `Copied as ${what}.`);
  const copyBase64 = () => copyAs(async () => base64Of(await readValue(name)), 'base64');
  const save = () =>
    run(async () => {
      download(name, await readValue(name));
      return `Downloaded ${name}.`;
    });
  return (
    <>
      <Dropdown
        shouldFocusToggleOnSelect
        isOpen={isOpen}
        onOpenChange={setOpen}
        onSelect={() => setOpen(false)}
        popperProps={MENU_PLACE}
        toggle={{
          toggleRef: toggle,
          toggleNode: (
            <MenuToggle
              ref={toggle}
              variant="plain"
              aria-label={`More for ${name}`}
              isExpanded={isOpen}
              icon={<EllipsisVIcon />}
              onClick={() => setOpen(!isOpen)}
            />
          ),
        }}
      >
        <DropdownList>
          <DropdownItem onClick={copyBase64}>Copy as base64</DropdownItem>
          <DropdownItem
            onClick={() => copyAs(`${secretKeyRef(variableOf(name), secret, name)}\n`, 'secretKeyRef')}
          >
            Copy secretKeyRef
          </DropdownItem>
          <DropdownItem
            onClick={() => copyAs(`${printCommand({ namespace, name: secret }, name)}\n`, 'kubectl command')}
          >
            Copy kubectl command
          </DropdownItem>
          <DropdownItem onClick={save}>Download</DropdownItem>
        </DropdownList>
      </Dropdown>
      <Done note={note} />
    </>
  );
}
