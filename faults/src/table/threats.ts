import type { Row } from './row.ts'

/** What somebody may try. */
export const threats: readonly Row[] = [
  {
    id: 'T1',
    what: 'A user registers a command to be run',
    promise: 'only administrators choose commands; others use approved templates, in every way in',
  },
  {
    id: 'T2',
    what: "A child process reads what is the server's",
    promise: 'it sees no environment, file, process or network that it was not given',
  },
  {
    id: 'T3',
    what: 'Child processes of two tenants',
    promise: "neither sees the other's secrets",
  },
  {
    id: 'T4',
    what: 'A registered address leads inside (SSRF)',
    promise: 'no connection is made, however it is spelled, in every place that takes an address',
  },
  {
    id: 'T5',
    what: 'DNS that answers differently the second time',
    promise: 'the address that was checked is the one that is used',
  },
  {
    id: 'T6',
    what: 'A redirect that leads inside',
    promise: 'every hop is checked, credentials stay at their origin',
  },
  {
    id: 'T7',
    what: 'A proxy that resolves names itself',
    promise: 'names are refused unless they are allowed',
  },
  {
    id: 'T8',
    what: 'Secrets of servers leak',
    promise: 'they are in no answer, log, trace, audit row, error or database file',
  },
  {
    id: 'T9',
    what: 'Poisoned descriptions of tools',
    promise:
      'hidden characters are taken out and shown, new tools wait for approval where it is asked for',
  },
  {
    id: 'T10',
    what: 'A tool changes after it was approved',
    promise: 'it is refused until it is approved again',
  },
  {
    id: 'T11',
    what: 'Two tools of one name, or of names that look alike',
    promise: 'a call goes to the server that it was bound to',
  },
  {
    id: 'T12',
    what: "A server answers for another's request",
    promise: 'answers reach only who asked',
  },
  {
    id: 'T13',
    what: 'A list that was cached for another',
    promise: 'each caller gets his own',
  },
  {
    id: 'T14',
    what: 'A schema that is a bomb',
    promise: 'it is refused or bounded, the event loop stays responsive',
  },
  {
    id: 'T15',
    what: 'A result that does not fit its schema, or is huge',
    promise: 'it is an error or is cut, with words that say so',
  },
  {
    id: 'T16',
    what: 'Keys such as __proto__',
    promise: 'no prototype changes',
  },
  {
    id: 'T17',
    what: 'JSON of great depth',
    promise: 'it is refused before anything recurses',
  },
  {
    id: 'T18',
    what: 'A hostile authorization address',
    promise: 'only http and https are opened, without a shell',
  },
  {
    id: 'T19',
    what: 'Two authorization servers are mixed up',
    promise: 'a code goes only to whom it is of',
  },
  {
    id: 'T20',
    what: 'A code without PKCE',
    promise: 'it is not issued or not redeemed',
  },
  {
    id: 'T21',
    what: 'A code that is used twice, or by many at once',
    promise: 'it is redeemed once; a second use ends what the first gave',
  },
  {
    id: 'T22',
    what: 'A redirect address that is nearly right',
    promise: 'nothing is redirected there',
  },
  {
    id: 'T23',
    what: 'Consent that is skipped for a new client',
    promise: 'every client is asked for',
  },
  {
    id: 'T24',
    what: 'A consent page that is framed, forged or holds markup',
    promise: 'it cannot be framed or sent by others, names are text',
  },
  {
    id: 'T25',
    what: 'A key that is typed into a page',
    promise: 'it is in no address and no log, guessing is slow',
  },
  {
    id: 'T26',
    what: 'A token for somebody else',
    promise: 'it is refused, and none is passed on',
  },
  {
    id: 'T27',
    what: 'A stolen or fixed session token',
    promise: 'tokens are stored as hashes, bound to whom they are of, and end within a second',
  },
  {
    id: 'T28',
    what: 'A page of another origin',
    promise: 'it is refused on HTTP, streams and WebSockets',
  },
  {
    id: 'T29',
    what: 'Headers that say other than the body',
    promise: 'the body decides, a difference is refused',
  },
  {
    id: 'T30',
    what: 'A request state that was changed or is used again',
    promise: 'it is refused',
  },
  {
    id: 'T31',
    what: 'A tool that is not, or no longer, in the group',
    promise: 'it is refused within a second',
  },
  {
    id: 'T32',
    what: 'Limits that are evaded by many sessions, nodes or the edge of a window',
    promise: 'no more is let in than the limit says',
  },
  {
    id: 'T33',
    what: 'A scope that is too wide',
    promise: 'what a token is not for is refused with what is missing',
  },
  {
    id: 'T34',
    what: 'Registration of clients as a flood or a way in',
    promise: 'it is limited, addresses are checked',
  },
  {
    id: 'T35',
    what: 'Ids of other users and tenants',
    promise: 'they do not exist for the caller',
  },
  {
    id: 'T36',
    what: 'A second way in that checks less',
    promise: 'there is one gate; a route without a policy does not start',
  },
  {
    id: 'T37',
    what: 'A model that names tools of others',
    promise: 'only what the caller may use can be called',
  },
  {
    id: 'T38',
    what: 'A server without keys that others can reach',
    promise: 'it listens on the loopback address alone or does not start',
  },
  {
    id: 'T39',
    what: 'Nobody is there to approve',
    promise: 'what needs approval is denied',
  },
  {
    id: 'T40',
    what: 'One thing is approved and another is run',
    promise: 'a decision is for these arguments of this tool, else it is void',
  },
  {
    id: 'T41',
    what: 'A forged, repeated or foreign decision',
    promise: 'one decision counts, of one who may',
  },
  {
    id: 'T42',
    what: 'An approver who is deceived',
    promise: 'all is shown, what is hidden is made visible',
  },
  {
    id: 'T43',
    what: 'Approvals that become a habit',
    promise:
      'what is approved at once has a scope and an end, destructive calls are always asked for',
  },
  {
    id: 'T44',
    what: 'A WebSocket of another page, a key in its address',
    promise: 'it is refused',
  },
  {
    id: 'T45',
    what: 'A flood over WebSockets',
    promise: 'frames, messages and sockets are limited',
  },
  {
    id: 'T46',
    what: 'Quotas in a race',
    promise: 'as many succeed as there is room for',
  },
  {
    id: 'T47',
    what: 'A tenant that floods the server',
    promise: 'others are served',
  },
  {
    id: 'T48',
    what: "Fields that raise one's rights",
    promise: 'unknown fields are refused, the last administrator stays',
  },
  {
    id: 'T49',
    what: 'Memory of others, or poisoned memory',
    promise: 'it is apart by user, carries its origin, and is gone when deleted',
  },
  {
    id: 'T50',
    what: 'Instructions in the output of tools',
    promise: 'after it, calls with effects outside are asked for',
  },
  {
    id: 'T51',
    what: 'Paths that lead outside',
    promise: 'nothing outside is opened',
  },
  {
    id: 'T52',
    what: 'Links that are exchanged in between',
    promise: 'nothing outside is opened',
  },
  {
    id: 'T53',
    what: 'Pipes, devices and files of any size',
    promise: 'they are refused or bounded, nothing hangs',
  },
  {
    id: 'T54',
    what: 'A quota of files in a race',
    promise: 'what is used stays within it',
  },
  {
    id: 'T55',
    what: 'Differences of huge files',
    promise: 'they are bounded in size and time',
  },
  {
    id: 'T56',
    what: 'Requests by agents: inside, with forged headers, bombs',
    promise: 'they go through the one egress, with limits',
  },
  {
    id: 'T57',
    what: 'Script in the output of tools',
    promise: 'nothing runs and nothing is fetched',
  },
  {
    id: 'T58',
    what: 'Escape sequences in a terminal',
    promise: 'none of a tool or model reaches it',
  },
  {
    id: 'T59',
    what: "A project's configuration that runs commands",
    promise: 'it is asked for, by content',
  },
  {
    id: 'T60',
    what: 'Files of keys that others can read',
    promise: 'they are made private, or refused',
  },
  {
    id: 'T61',
    what: 'Keys in a stolen database',
    promise: 'nobody gets in with them',
  },
  {
    id: 'T62',
    what: 'A gap in the audit, or a change of it',
    promise: 'every call has its row, changes are found',
  },
  {
    id: 'T63',
    what: 'Line breaks in logs',
    promise: 'one record is one line',
  },
  {
    id: 'T64',
    what: 'Packages that change',
    promise: 'versions are exact, no install scripts run',
  },
  {
    id: 'T65',
    what: 'Slow and huge requests',
    promise: 'they end in time, others are served',
  },
  {
    id: 'T66',
    what: 'Keywords that catch everything',
    promise: 'they are literal, of a tenant, and found in linear time',
  },
]
