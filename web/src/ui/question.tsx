import { Button } from '@patternfly/react-core';
import { Dialog } from './dialog.tsx';
import { useEscape } from './use-escape.ts';

export interface QuestionProps {
  readonly title: string;
  readonly body: string;
  readonly stay: string;
  /** Without it there is nothing to do but to stay. */
  readonly go?: string;
  readonly onStay: () => void;
  readonly onGo: () => void;
}

/** Confirms before something is lost; the harmless choice comes first. */
export function Question({ title, body, stay, go, onStay, onGo }: QuestionProps) {
  useEscape(true, onStay);
  return (
    <Dialog
      id="question"
      title={title}
      isDescribed
      onClose={onStay}
      buttons={
        <>
          <Button onClick={onStay}>{stay}</Button>
          {go !== undefined && (
            <Button variant="danger" onClick={onGo}>
              {go}
            </Button>
          )}
        </>
      }
    >
      <p role="status">{body}</p>
    </Dialog>
  );
}
