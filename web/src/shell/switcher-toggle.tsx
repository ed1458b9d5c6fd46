import { MenuToggle, type MenuToggleElement, type MenuToggleProps } from '@patternfly/react-core';
import type { Ref } from 'react';

export interface SwitcherToggleProps extends Pick<MenuToggleProps, 'isExpanded' | 'onClick'> {
  readonly namespace: string | undefined;
  readonly ref?: Ref<MenuToggleElement>;
}

/** Names the namespace of the screen; opens the menu of all. */
export function SwitcherToggle({ namespace, ...rest }: SwitcherToggleProps) {
  return (
    <MenuToggle
      {...rest}
      className="switcher"
      aria-label={namespace === undefined ? 'Choose a namespace' : `Switch from ${namespace}`}
    >
      {namespace ?? 'Choose a namespace'}
    </MenuToggle>
  );
}
