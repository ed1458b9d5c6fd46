/** What creating a Secret says. */
export const NAME_AND_TYPE_WORDS = {
  type: 'Type',
  anotherType: 'Another type',
  ownTypeHint: 'Any type of your own; an empty one becomes Opaque.',
  ownType: 'Type of your own',
  ownTypeExample: 'example.com/my-type',
};

export const CREATED_WORDS = {
  createdWithoutAccess: (name: string) => `${name} is created. You don't have access to it.`,
  created: (name: string) => `${name} is created.`,
};

export const CREATE_PAGE_WORDS = {
  theForm: 'the form',
  forbidden: "You can't create Secrets here",
  forbiddenAdvice: (namespace: string) =>
    `Contact an administrator to get access to the namespace ${namespace}.`,
  showSecrets: (namespace: string) => `Show Secrets in ${namespace}`,
  createSecret: 'Create a Secret',
  create: 'Create',
  values: 'Values',
  unknown: 'It may or may not have been created',
  failed: "Couldn't create the Secret",
};
