import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { useRef, useState } from 'react';
import { MENU_PLACE } from '../../ui/menu-place.ts';

export interface ImportMenuProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: () => void;
}

/** Keys from elsewhere: one for each file, or all of a text. */
export function ImportMenu({ onFiles, onText }: ImportMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to import"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <Dropdown
        isOpen={isOpen}
        onOpenChange={setOpen}
        onSelect={() => setOpen(false)}
        popperProps={{ ...MENU_PLACE, position: 'left' }}
        toggle={(ref) => (
          <MenuToggle ref={ref} isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Import
          </MenuToggle>
        )}
      >
        <DropdownList>
          <DropdownItem onClick={onText}>.env or JSON text…</DropdownItem>
          <DropdownItem onClick={() => input.current?.click()}>Files…</DropdownItem>
        </DropdownList>
      </Dropdown>
    </>
  );
}
