import { useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import type { GivenLevel } from '../../../../src/contract/access-rules.ts';
import { useExplanation } from '../../api/queries.ts';
import { copyText } from '../../ui/copy-text.ts';
import type { OptionGroup } from './result-list.tsx';
import type { SearchGroup, SearchResult } from './search-results.ts';
import { accessPath, activityPath, createPath, deletedPath, editPath, historyPath } from '../../paths.ts';
import { allows } from '../../editing/rules.ts';

/** The options of the dialog: results, or what can be done with one of them; and which of them the keyboard has chosen. */
export function useOptions(found: readonly SearchGroup[], onLeave: () => void) {
  /** Its actions take the place of the results. */
  const [subject, setSubject] = useState<SearchResult>();
  const [chosen, setChosen] = useState('');
  const [note, setNote] = useState('');
  const act = useAct(onLeave, setNote);
  const { data: access } = useExplanation(subject?.secret);
  const show = (result: SearchResult | undefined) => {
    setSubject(result);
    setChosen('');
    setNote('');
  };
  const groups =
    subject === undefined ? resultGroups(found, act, show) : [actionGroup(subject, access?.level, act)];
  const options = groups.flatMap((group) => group.options);
  // What was chosen stays chosen while more is found.
  const index = Math.max(
    0,
    options.findIndex(({ id }) => id === chosen),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const command = commandOf(event, subject !== undefined);
    if (command === undefined) return;
    event.preventDefault();
    if (command === 'back') show(undefined);
    else if (command === 'run') options[index]?.run();
    else if (command === 'more') options[index]?.more?.();
    else setChosen(options[(index + command + options.length) % options.length]?.id ?? '');
  };
  return {
    groups,
    active: options[index],
    note,
    isAboutActions: subject !== undefined,
    back: () => show(undefined),
    onKeyDown,
  };
}

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

type Act = (action: ResultAction) => void;

/** Leaves for a screen, or copies and stays. */
function useAct(onClose: () => void, onCopied: (note: string) => void): Act {
  const navigate = useNavigate();
  return (action) => {
    if ('to' in action) {
      onClose();
      void navigate(action.to);
      return;
    }
    copyText(action.copies).then(
      () => onCopied('Copied'),
      () => onCopied("Your browser doesn't allow copying here"),
    );
  };
}

function resultGroups(
  groups: readonly SearchGroup[],
  act: Act,
  onMore: (result: SearchResult) => void,
): readonly OptionGroup[] {
  return groups.map(({ title, results }) => ({
    id: `search-${results[0]?.kind ?? ''}`,
    title,
    options: results.map((result) => ({
      id: result.to,
      kind: result.kind,
      text: result.text,
      hint: result.hint,
      run: () => act(result),
      // Those of an action are the action itself.
      ...(result.kind === 'action' ? {} : { more: () => onMore(result) }),
    })),
  }));
}

function actionGroup(subject: SearchResult, level: GivenLevel | undefined, act: Act): OptionGroup {
  return {
    id: 'search-actions-of-one',
    title: `Actions for ${subject.text}`,
    options: actionsOf(subject, window.location.origin, level).map((action) => ({
      id: action.text,
      kind: 'action',
      text: action.text,
      hint: undefined,
      run: () => act(action),
    })),
  };
}

/** Something to do with a result. */
type ResultAction = { readonly text: string } & ({ readonly to: string } | { readonly copies: string });

/**
 * @param origin of the pages, for links that work elsewhere
 * @param level on the Secret; undefined while it is not known
 */
export function actionsOf(
  result: SearchResult,
  origin: string,
  level: GivenLevel | undefined,
): readonly ResultAction[] {
  const { kind, to, text, secret } = result;
  const name = secret?.name ?? text;
  return [
    { text: 'Open', to },
    ...screensOf(result, level),
    ...(kind === 'action' ? [] : [{ text: 'Copy the name', copies: kind === 'key' ? text : name }]),
    { text: 'Copy the link', copies: origin + to },
  ];
}

function screensOf(
  { kind, text, secret, canCreate }: SearchResult,
  level: GivenLevel | undefined,
): readonly ResultAction[] {
  if (secret !== undefined) {
    return [
      ...(allows(level, 'write') ? [{ text: 'Edit', to: editPath(secret) }] : []),
      { text: 'History', to: historyPath(secret) },
      { text: 'Access', to: accessPath(secret) },
    ];
  }
  if (kind !== 'namespace') return [];
  return [
    ...(canCreate === true ? [{ text: `Create a Secret in ${text}`, to: createPath(text) }] : []),
    { text: `Show activity in ${text}`, to: activityPath(text) },
    { text: `Show deleted Secrets in ${text}`, to: deletedPath(text) },
  ];
}
