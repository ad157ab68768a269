import type { Row } from './row.ts'

/** What goes wrong by itself. */
export const faults: readonly Row[] = [
  {
    id: 'F1',
    what: 'A process of an MCP server crashes in a call',
    promise:
      'the call fails at once with what happened, the turn goes on, the server is started again with growing waits, other servers notice nothing',
  },
  {
    id: 'F2',
    what: 'An MCP server does not answer',
    promise: 'the call ends at its deadline, the server is told, the place is free again',
  },
  {
    id: 'F3',
    what: 'An MCP server writes lines that are no messages',
    promise: 'they are counted and dropped, the session goes on',
  },
  {
    id: 'F4',
    what: 'An answer has an unknown id, or one that was answered',
    promise: 'it is ignored and counted',
  },
  {
    id: 'F5',
    what: 'An answer of 100 MB',
    promise:
      'it is cut at the limit, the call fails then and not at its deadline, the event loop stays responsive',
  },
  {
    id: 'F6',
    what: 'A flood on standard error',
    promise: 'the end of it is kept, the rest dropped, closing stays quick',
  },
  {
    id: 'F7',
    what: 'An answer that drips',
    promise: 'the deadline is for the whole of it',
  },
  {
    id: 'F8',
    what: 'A connection that is dead and says nothing',
    promise: 'it is noticed and made anew',
  },
  {
    id: 'F9',
    what: 'A connection that is reset within an event',
    promise: 'the piece is dropped, only what may be repeated is repeated',
  },
  {
    id: 'F10',
    what: 'An MCP server that fails again and again',
    promise: 'it is left alone for a while, then tried with one call',
  },
  {
    id: 'F11',
    what: 'A token that expires in use',
    promise: 'one refresh for all who wait, then a clear error',
  },
  {
    id: 'F12',
    what: 'A list of tools that changes in a turn',
    promise: 'a call that runs ends as it began, the next one sees the new list',
  },
  {
    id: 'F13',
    what: 'The database is away at the start',
    promise: 'not ready, no crash, ready soon after it is back',
  },
  {
    id: 'F14',
    what: 'The database dies in a run',
    promise: 'nothing is acknowledged that is not stored, the run goes on once it is back',
  },
  {
    id: 'F15',
    what: 'Deadlocks, lost connections, too few connections',
    promise: 'what may be tried again is, nothing leaks, waiting has an end',
  },
  {
    id: 'F16',
    what: 'Redis is away',
    promise: 'nobody gets in who may not, limits hold in each process, the audit goes on',
  },
  {
    id: 'F17',
    what: 'kill -9 while a person is asked',
    promise:
      'the approval is there afterwards with its id and the time that is left, the decision works, the call runs once',
  },
  {
    id: 'F18',
    what: 'kill -9 between an effect and its record',
    promise: 'the outcome is unknown and said to be so; what is not idempotent is not run again',
  },
  {
    id: 'F19',
    what: 'kill -9 of the server: its child processes',
    promise: 'none is left',
  },
  {
    id: 'F20',
    what: 'A full disk',
    promise:
      'writes fail with a clear error, reads and cancels work, nothing is damaged, it recovers by itself',
  },
  {
    id: 'F21',
    what: 'A commit that fails',
    promise: 'nothing is acknowledged after it',
  },
  {
    id: 'F22',
    what: 'A clock that jumps',
    promise: 'deadlines and waits do not move, no token lives for ever',
  },
  {
    id: 'F23',
    what: '1,000 WebSocket clients',
    promise: 'they are served, memory stays in bounds',
  },
  {
    id: 'F24',
    what: 'A reader that does not read',
    promise: 'its queue is bounded, it is cut off and can resume, others notice nothing',
  },
  {
    id: 'F25',
    what: 'A client that is cut off and comes back',
    promise: 'it gets every event once, in order',
  },
  {
    id: 'F26',
    what: 'Too many child processes',
    promise: 'there is a limit, idle ones are ended, others wait or are refused',
  },
  {
    id: 'F27',
    what: 'A worker or a node is killed',
    promise: 'others serve on and take over its runs within 10 seconds, none twice',
  },
  {
    id: 'F28',
    what: 'A rolling restart',
    promise: 'no request fails',
  },
  {
    id: 'F29',
    what: 'Ten times the load it can take',
    promise: 'what is too much is refused early, cancel and health are answered',
  },
  {
    id: 'F30',
    what: 'The event loop is blocked',
    promise: 'it is noticed and told, new work is refused',
  },
  {
    id: 'F31',
    what: "A model's stream is cut, limited or nonsense",
    promise: 'it is tried again within limits or ends with a clear error',
  },
  {
    id: 'F32',
    what: 'A long time of work',
    promise: 'memory, handles, timers, processes and connections stay flat',
  },
  {
    id: 'F33',
    what: 'A migration is interrupted, or two nodes start at once',
    promise: 'the next start goes on with it, one of them migrates',
  },
  {
    id: 'F34',
    what: 'The master key is missing or wrong',
    promise: 'the start is refused and nothing is written',
  },
]
