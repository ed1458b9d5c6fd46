import { Button, Label } from '@patternfly/react-core';
import AngleDownIcon from '@patternfly/react-icons/dist/esm/icons/angle-down-icon';
import AngleRightIcon from '@patternfly/react-icons/dist/esm/icons/angle-right-icon';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { hasRules } from '../../../../src/contract/access-rules.ts';
import { useExplanation } from '../../api/queries.ts';
import { changedFields } from '../../editing/fields.ts';
import { MetadataEditor } from '../form/metadata-editor.tsx';
import type { Draft } from '../../editing/draft.ts';
import { allows, entriesOf } from '../../editing/rules.ts';
import type { Edit } from './use-edit.ts';

export interface MetadataSectionProps {
  readonly edit: Edit;
  /** There is nothing else to edit. */
  readonly isOpen: boolean;
}

const ACCESS_HASH = '#access';

/** Description and access, behind what people come for: closed, it says what they are. */
export function MetadataSection({ edit, isOpen }: MetadataSectionProps) {
  const { base, draft, dispatch } = edit;
  const { hash } = useLocation();
  const { data: access } = useExplanation(base);
  const isChanged = changedFields(base, draft).length > 0;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hash === ACCESS_HASH) place.current?.scrollIntoView();
  }, [hash]);
  const [isExpanded, setExpanded] = useState(isOpen || isChanged || hash === ACCESS_HASH);
  return (
    <div ref={place}>
      <Button
        variant="link"
        isInline
        icon={isExpanded ? <AngleDownIcon /> : <AngleRightIcon />}
        aria-expanded={isExpanded}
        onClick={() => setExpanded(!isExpanded)}
      >
        Description and access
      </Button>
      {/* What is being typed stays when it is closed. */}
      <div hidden={!isExpanded}>
        <div className="form-part disclosed">
          <MetadataEditor
            draft={draft}
            namespace={base.namespace}
            stored={base}
            withRules={allows(access?.level, 'manage')}
            onChange={(part) => dispatch({ kind: 'edit', change: () => part })}
            onInvalidEntry={edit.setHasInvalidEntry}
          />
        </div>
      </div>
      <p className="hint">
        {isChanged && (
          <Label isCompact color="blue">
            changed
          </Label>
        )}{' '}
        {!isExpanded && summaryOf(draft)}
      </p>
    </div>
  );
}

function summaryOf(draft: Draft): string {
  const { description, expiresAt = '', rotateEvery = '' } = draft;
  const expires = expiresAt && `expires on ${expiresAt.slice(0, 10)}`;
  const rotates = rotateEvery && `rotated every ${rotateEvery}`;
  const access = [...(hasRules(draft) ? [] : ['everyone in the namespace']), ...entriesOf(draft)].join(', ');
  return [description || 'no description', expires, rotates, access].filter(Boolean).join(' · ');
}
