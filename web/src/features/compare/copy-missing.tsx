import { Button } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { useExplanation } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useSessionWatch } from '../../api/session-watch.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { changedKeys } from '../../editing/changes.ts';
import { draftOf } from '../../editing/draft.ts';
import { storedSecret } from '../../editing/stored-secret.ts';
import { NewerVersion } from '../../ui/newer-version.tsx';
import { useNotify } from '../../ui/notices.tsx';
import { counted } from '../../values/format.ts';
import type { FormValues } from '../../values/value.ts';
import { useSave } from '../edit/use-save.ts';
import {
  ReviewDialog,
  useKeySelection,
  type Confirmation,
  type ReviewDialogProps,
} from '../form/review-dialog.tsx';
import { missingIn, nameOf, whyNotTo } from './missing.ts';

export interface CopyMissingProps {
  readonly source: SecretDetail;
  readonly target: SecretDetail;
  readonly note: Required<ReviewDialogProps>['note'];
  readonly onCopied: () => void;
  /** Reads both again. */
  readonly onReload: () => void;
}

/** Copies the keys that one of two Secrets lacks from the other, after a review. Left out where it lacks none. */
export function CopyMissing({ source, target, note, onCopied, onReload }: CopyMissingProps) {
  const [isOpen, setOpen] = useState(false);
  const { isEnded } = useSessionWatch();
  const missing = useMemo(() => missingIn(target, source), [target, source]);
  const { data: access } = useExplanation(missing.size === 0 ? undefined : target);
  const { save, isBusy, outcome } = useCopy(target, () => {
    setOpen(false);
    onCopied();
  });
  const close = () => {
    setOpen(false);
    // The end of the session closes the review, too.
    if (!isEnded) note[1]('');
  };
  const obstacle = whyNotTo(target, access?.level);
  if (missing.size === 0) return null;
  if (outcome?.kind === 'conflict') {
    return (
      <NewerVersion secret={outcome.theirs}>
        <Button variant="secondary" onClick={onReload}>
          Compare with {nameOf(target)} as it is now
        </Button>
      </NewerVersion>
    );
  }
  return (
    <div className="actions">
      <Button
        variant="secondary"
        className="whole-name"
        isDisabled={obstacle !== undefined}
        onClick={() => setOpen(true)}
      >
        Copy {counted(missing.size, 'missing key')} to {nameOf(target)}
      </Button>
      {obstacle !== undefined && <span className="hint">{obstacle}</span>}
      {isOpen && (
        <CopyReview {...{ target, missing, note, isBusy, save }} failure={outcome} onClose={close} />
      )}
    </div>
  );
}

/** Through the save of an edit, which looks at what became of it where the answer leaves that open. */
function useCopy(target: SecretDetail, onCopied: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const notify = useNotify();
  const { write, isBusy, outcome } = useSave((done, { change }) => {
    if (done.kind === 'failed' && done.savedPart === undefined) return;
    void queries.invalidateQueries({ queryKey: queryKeys.list(target.namespace) });
    if (done.kind !== 'saved') return;
    const copied = counted(change.values?.set.size ?? 0, 'key');
    notify(`Copied ${copied} to ${nameOf(target)}, which is now version ${done.secret.version}.`);
    onCopied();
  });
  const failure = outcome?.kind === 'saved' ? undefined : outcome;
  const save = (set: FormValues, confirmation: Confirmation) => {
    const part = failure?.kind === 'failed' ? failure.savedPart : undefined;
    const base = part ?? storedSecret(api, target);
    void write({ base, draft: draftOf(base), change: { values: { set, remove: [] } }, ...confirmation });
  };
  return { save, isBusy, outcome: failure };
}

interface CopyReviewProps extends Pick<CopyMissingProps, 'target' | 'note'> {
  readonly missing: FormValues;
  readonly failure: Exclude<ReturnType<typeof useCopy>['outcome'], { readonly kind: 'conflict' }>;
  readonly isBusy: boolean;
  readonly save: ReturnType<typeof useCopy>['save'];
  readonly onClose: () => void;
}

function CopyReview({ target, missing, note, failure, isBusy, save, onClose }: CopyReviewProps) {
  const selection = useKeySelection('Copy');
  const chosen = new Map([...missing].filter(([key]) => selection.has(key)));
  return (
    <ReviewDialog
      title={`Copy missing keys to ${nameOf(target)}?`}
      confirm="Copy"
      changes={changedKeys(new Map(), missing)}
      selection={selection}
      isEmpty={chosen.size === 0}
      {...{ note, isBusy, failure }}
      failureTitles={{
        unknown: 'The keys may or may not have been copied',
        failed: "Couldn't copy the keys",
      }}
      onConfirm={(confirmation) => save(chosen, confirmation)}
      onClose={onClose}
    >
      <p>Everything else in {nameOf(target)} stays as it is.</p>
    </ReviewDialog>
  );
}
