import { Dropdown, MenuToggle, type DropdownProps } from '@patternfly/react-core';
import EllipsisVIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon';
import { useRef, useState } from 'react';

export interface ActionMenuProps extends Pick<DropdownProps, 'isScrollable' | 'children'> {
  /** What the button says; left out: three dots. */
  readonly text?: string;
  /** What the button of three dots is called. */
  readonly label?: string;
  readonly position?: 'left' | 'right';
}

/** A button, and the actions that it opens. */
export function ActionMenu({ text, label, position = 'right', ...menu }: ActionMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const button = { ref: toggle, isExpanded: isOpen, onClick: () => setOpen(!isOpen) };
  return (
    <Dropdown
      {...menu}
      shouldFocusToggleOnSelect
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      popperProps={{ position, preventOverflow: true, appendTo: mainRegion }}
      toggle={{
        toggleRef: toggle,
        toggleNode:
          text === undefined ? (
            <MenuToggle {...button} variant="plain" aria-label={label} icon={<EllipsisVIcon />} />
          ) : (
            <MenuToggle {...button}>{text}</MenuToggle>
          ),
      }}
    />
  );
}

/** Menus are part of the page's main region: outside of it, screen readers would find them in none. */
const mainRegion = () => document.getElementById('main') ?? document.body;
