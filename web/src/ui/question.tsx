import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
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
    <Modal
      isOpen
      variant="small"
      onClose={onStay}
      aria-labelledby="question-title"
      aria-describedby="question-body"
    >
      <ModalHeader title={title} labelId="question-title" />
      <ModalBody className="dialog-body" id="question-body">
        <p role="status">{body}</p>
      </ModalBody>
      <ModalFooter>
        <Button onClick={onStay}>{stay}</Button>
        {go !== undefined && (
          <Button variant="danger" onClick={onGo}>
            {go}
          </Button>
        )}
      </ModalFooter>
    </Modal>
  );
}
