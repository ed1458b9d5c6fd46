import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { useRef, useState } from 'react';
import { MENU_PLACE } from '../../ui/menu-place.ts';
import { IMPORT_WORDS } from '../../words/form.ts';

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
        aria-label={IMPORT_WORDS.filesLabel}
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
            {IMPORT_WORDS.menu}
          </MenuToggle>
        )}
      >
        <DropdownList>
          <DropdownItem onClick={onText}>{IMPORT_WORDS.text}</DropdownItem>
          <DropdownItem onClick={() => input.current?.click()}>{IMPORT_WORDS.files}</DropdownItem>
        </DropdownList>
      </Dropdown>
    </>
  );
}
