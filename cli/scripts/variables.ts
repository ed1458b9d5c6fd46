/** What the command reads of the environment. */
export const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ['SECRETSCTL_SERVER', 'the address of the service, where --server names none'],
  ['SECRETSCTL_NAMESPACE', 'the namespace, where -n names none'],
  ['SECRETSCTL_TOKEN_FILE', 'a file with a bearer token, where --token-file names none'],
  ['SECRETSCTL_ID_TOKEN', 'the token of a job, such as one of GitLab'],
  [
    'SECRETSCTL_AUDIENCE',
    'the audience of the token that a job of GitHub requests; the address of the service without it',
  ],
  ['XDG_STATE_HOME', 'the folder of the tokens of people; ~/.local/state without it'],
  ['VISUAL, EDITOR', 'the editor of "edit"; vi without them'],
  ['BROWSER', 'the program that "login" opens the address with'],
  ['HTTPS_PROXY, NO_PROXY', 'the proxy, and which hosts have none, as for other programs'],
  ['NODE_EXTRA_CA_CERTS', 'a file with further certificate authorities'],
  ['NO_COLOR', 'no colours, when it is set'],
];
