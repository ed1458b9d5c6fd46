import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core';
import type { ReactNode } from 'react';

export interface Fact {
  readonly term: ReactNode;
  readonly description: ReactNode;
}

/** Terms and what they are, side by side where there is space. */
export function Facts({ label, facts }: { readonly label?: string; readonly facts: readonly Fact[] }) {
  return (
    <DescriptionList
      isCompact
      horizontalTermWidthModifier={{ default: '9rem' }}
      className="facts"
      orientation={{ md: 'horizontal' }}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {facts.map(({ term, description }, index) => (
        <DescriptionListGroup key={index}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription>{description}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}
