import { MenuToggle, type MenuToggleElement, type MenuToggleProps } from '@patternfly/react-core';
import UserIcon from '@patternfly/react-icons/dist/esm/icons/user-icon';
import type { Ref } from 'react';
import type { SessionUser } from '../api/secrets-api.ts';

export interface UserToggleProps extends Pick<MenuToggleProps, 'isExpanded' | 'isDisabled' | 'onClick'> {
  readonly user: SessionUser;
  readonly ref?: Ref<MenuToggleElement>;
}

/** Names who is signed in; opens their menu once its code is there. */
export function UserToggle({ user, ...rest }: UserToggleProps) {
  return (
    <MenuToggle
      {...rest}
      variant="plainText"
      className="user-toggle"
      icon={<UserIcon />}
      aria-label={`Your account, ${user.email}`}
    >
      <span className="who">{user.name}</span>
    </MenuToggle>
  );
}
