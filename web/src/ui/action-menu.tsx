import { Dropdown, MenuToggle, type DropdownProps } from '@patternfly/react-core';
import EllipsisVIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon';
import { useEffect, useRef, useState } from 'react';

export interface ActionMenuProps extends Pick<DropdownProps, 'isScrollable' | 'children'> {
  /** What the button says; left out: three dots. */
  readonly text?: string;
  /** What the button of three dots is called. */
  readonly label?: string;
  readonly position?: 'left' | 'right';
}

/** A button, and the actions that it opens. */
export function ActionMenu(props: ActionMenuProps) {
  return <OpenableMenu {...props} isOpenAtOnce={false} />;
}

/** The same where there may be hundreds: the menu itself is made when it is first opened. */
export function LazyActionMenu(props: ActionMenuProps) {
  const [wasOpened, setOpened] = useState(false);
  if (wasOpened) return <OpenableMenu {...props} isOpenAtOnce />;
  return (
    <MenuToggle
      variant="plain"
      aria-label={props.label}
      icon={<EllipsisVIcon />}
      onClick={() => setOpened(true)}
    />
  );
}

type OpenableMenuProps = ActionMenuProps & { readonly isOpenAtOnce: boolean };

function OpenableMenu({ text, label, position = 'right', isOpenAtOnce, ...menu }: OpenableMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpenAtOnce) return;
    // It takes the place of the toggle that was clicked, and opens after that click, which would close it again.
    toggle.current?.focus();
    const timer = window.setTimeout(() => setOpen(true));
    return () => window.clearTimeout(timer);
  }, [isOpenAtOnce]);
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
