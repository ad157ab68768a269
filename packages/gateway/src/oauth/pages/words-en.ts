import type { Words } from './words.ts'

export const english: Words = {
  otherLanguage: '中文',
  htmlLang: 'en',
  connect: (client) => `Connect ${client}`,
  asks: (client, server) => `${client} asks to use tools of ${server} in your name.`,
  facts: { sentTo: 'You will be sent to', mayDo: 'It may' },
  ownProgram: 'a program on this computer',
  byCode: 'nowhere: you get a code to copy',
  vouched: (host) => `described by ${host}`,
  unverified: 'It chose this name itself. Go on only if you have just started this.',
  scopes: {
    'mcp:read': 'see the tools of the group, and use those that only read',
    'mcp:call': 'see and use all tools of the group, also those that change something',
  },
  chooseGroup: 'Choose a tool group',
  theGroup: 'Tool group',
  signedInAs: (name) => `Signed in as ${name}`,
  keyAccepted: 'Your key was accepted.',
  otherKey: 'Use another key',
  signIn: 'Sign in',
  orKey: 'or with an API key',
  useKeyInstead: 'Use an API key instead',
  key: 'API key',
  keyHint: 'The key of a tool group (mk_…) or your own. An administrator can give you one.',
  continue: 'Continue',
  allow: 'Allow',
  deny: 'Deny',
  advice:
    'An administrator can end this access at any time; so can you, if you signed in: in DataAgent, in the menu of your account, under Connected clients.',
  noGroups: {
    none: 'There is no tool group for you yet',
    forOne:
      'The address you connect to is of a group that is not open to you. Ask an administrator to open it to you, or enter its key.',
    forAll:
      'Ask an administrator to make a tool group and open it to users, or to give you the key of one.',
    bound: {
      title: 'This API key is bound to tools of its own',
      text: 'A key with an allow-list of its own opens no tool group: the group may have other tools. Enter the key of a tool group, or sign in with a key that has no allow-list.',
    },
  },
  errors: {
    wrong_key: 'Invalid API Key or OAuth Token. Check the key and enter it again.',
    missing_key: 'Enter an API key.',
    other_group: 'This key is of another tool group than the address you connect to.',
    missing_group: 'Choose one of the tool groups.',
    too_many_tries: 'Too many tries. Wait a minute and enter the key again.',
  },
  messages: {
    unknown_client: {
      title: 'This app is not known here',
      text: 'Its registration is missing or has expired. Go back to the app, remove the connection and connect again.',
    },
    unknown_redirect: {
      title: 'This address is not registered',
      text: 'The app wants you to be sent to an address that it has not registered, so you stay here. Tell whoever runs the app.',
    },
    faulty: {
      title: 'The app asked in a wrong way',
      text: 'Its request cannot be answered, and nothing was allowed. Tell whoever runs the app what is written below.',
    },
    ended: {
      title: 'This request has ended',
      text: 'It was answered already, or ten minutes have passed. Go back to the app and connect again.',
    },
    other_browser: {
      title: 'This request began in another browser',
      text: 'Finish it in the browser where you began, with cookies switched on, or connect again from the app.',
    },
    other_page: {
      title: 'This was not sent from our page',
      text: 'Nothing was allowed. Go back to the app and connect again.',
    },
    too_many_requests: {
      title: 'Too many requests',
      text: 'Rate limit exceeded. Wait a minute, then connect again from the app.',
    },
    unavailable: {
      title: 'Not available at the moment',
      text: 'The server cannot reach its storage. Try again in a few seconds.',
    },
    failed: {
      title: 'Something went wrong',
      text: 'The fault is on our side and has been noted. Connect again from the app.',
    },
    denied: { title: 'Access denied', text: 'The app got no access. You can close this page.' },
  },
  code: {
    title: 'Your code',
    text: 'Copy it into the program that you started. It works once, for a short time.',
    label: 'Code',
    advice: 'Give it to nobody else: whoever has the code and asked for it gets your access.',
  },
}
