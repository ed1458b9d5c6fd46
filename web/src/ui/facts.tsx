import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core';
import type { ReactNode } from 'react';

export interface Fact {
  readonly term: string;
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
      {facts.map(({ term, description }) => (
        <DescriptionListGroup key={term}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription>{description}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}
