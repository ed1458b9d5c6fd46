import { useState, type DragEvent } from 'react';

/** Takes files that are dropped, and leaves every other drag, such as that of selected text, to the browser. */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [isDraggedOver, setDraggedOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    // Also where a dialog lies above: its events would reach what is behind it.
    event.stopPropagation();
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setDraggedOver(true);
  };
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDraggedOver(false);
  };
  const onDrop = (event: DragEvent) => {
    event.stopPropagation();
    setDraggedOver(false);
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    onFiles([...event.dataTransfer.files]);
  };
  return { isDraggedOver, handlers: { onDragOver, onDragLeave, onDrop } };
}
