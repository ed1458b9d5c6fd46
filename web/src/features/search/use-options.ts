import { useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { useExplanation } from '../../api/queries.ts';
import { copyText } from '../../ui/copy-text.ts';
import { actionsOf, type SearchGroup, type SearchResult } from './search-results.ts';

/** The options of the dialog: results, or what can be done with one of them; and which of them the keyboard has chosen. */
export function useOptions(found: readonly SearchGroup[], onLeave: () => void) {
  const navigate = useNavigate();
  /** Its actions take the place of the results. */
  const [subject, setSubject] = useState<SearchResult>();
  const [chosen, setChosen] = useState<SearchResult>();
  const [note, setNote] = useState('');
  const { data: access } = useExplanation(subject?.secret);
  const show = (result: SearchResult | undefined) => {
    setSubject(result);
    setChosen(undefined);
    setNote('');
  };
  const more = (result: SearchResult) => {
    if (hasActions(result)) show(result);
  };
  /** Leaves for a screen, or copies and stays. */
  const run = ({ to, copies = '' }: SearchResult) => {
    if (to !== undefined) {
      onLeave();
      void navigate(to);
      return;
    }
    copyText(copies).then(
      () => setNote('Copied'),
      () => setNote("Your browser doesn't allow copying here"),
    );
  };
  const groups =
    subject === undefined
      ? found
      : [
          {
            title: `Actions for ${subject.text}`,
            results: actionsOf(subject, window.location.origin, access?.level),
          },
        ];
  const options = groups.flatMap(({ results }) => results);
  // What was chosen stays chosen while more is found.
  const index = Math.max(
    0,
    options.findIndex((one) => chosen !== undefined && optionId(one) === optionId(chosen)),
  );
  const active = options[index];
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const command = commandOf(event, subject !== undefined);
    if (command === undefined) return;
    event.preventDefault();
    if (command === 'back') show(undefined);
    else if (active === undefined) return;
    else if (command === 'run') run(active);
    else if (command === 'more') more(active);
    else setChosen(options[(index + command + options.length) % options.length]);
  };
  const isAboutActions = subject !== undefined;
  return { groups, active, note, isAboutActions, more, run, back: () => show(undefined), onKeyDown };
}

/** Of its element: unlike that of any other option. */
export const optionId = ({ to, text }: SearchResult): string => `option ${to ?? text}`.replaceAll(/\s/g, '-');

/** Those of an action are the action itself. */
export const hasActions = ({ kind }: SearchResult): boolean => kind !== 'action';

/** What a key does: one step down or up, run what is chosen, show its actions, or lead back from them. */
function commandOf(event: KeyboardEvent<HTMLInputElement>, showsActions: boolean) {
  if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
    return undefined;
  }
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  const isAtEnd = selectionStart === value.length && selectionEnd === value.length;
  switch (event.key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return -1;
    case 'Enter':
      return 'run';
    case 'ArrowRight':
      return isAtEnd && !showsActions ? 'more' : undefined;
    case 'ArrowLeft':
      return showsActions ? 'back' : undefined;
    default:
      return undefined;
  }
}
