import { type Clock, wait } from '@dataagent/guard'
import type { CallToolResult, ServerQuestions } from '@dataagent/mcp'
import { closedError } from '../calls/errors.ts'
import type { Link, LinkEvents, LinkOptions, LinkServer, LinkState } from '../links/link.ts'
import type { CallRequest, Description, Gone, News, Place, QuestionName } from './messages.ts'
import type { Relay } from './relay.ts'
import { createRemoteWishes } from './remote-wishes.ts'
import { fromWireRefusal, type WireRefusal } from './wire-error.ts'

export interface RemoteLinkOptions {
  relay: Relay
  place: Place
  /** The process that holds the connection. */
  holder: string
  events: LinkEvents
  clock: Clock
  /** The holder is no longer it, or none is needed. Told once, or never. */
  onEnd(how: 'gone' | 'stateless'): void
}

const describeMs = 10_000
const againMs = 1_000
const defaultCallMs = 30_000
const reconnectMs = 120_000
/** For many resources, which the holder asks for one after the other. */
const wishMs = 120_000

/** A connection that another process holds. */
export function createRemoteLink(options: RemoteLinkOptions): Link {
  const { relay, place, holder, events, clock } = options
  const closing = new AbortController()
  const { signal: closed } = closing
  let state: LinkState = { status: 'connecting' }
  let lastSeq = -1
  let server: LinkServer | undefined
  let describing: Promise<void> | undefined
  const wishes = createRemoteWishes({
    clock,
    async send(told) {
      const kind = told.base === undefined ? 'wish' : 'wish_change'
      const request = { kind, ...place, ...told } as const
      const refused = await relay.asking.ask(request, { to: holder, timeoutMs: wishMs })
      return Array.isArray(refused) ? (refused as WireRefusal[]).map(fromWireRefusal) : undefined
    },
  })
  const unfollow = relay.follow(place.pool, hear)
  look()

  return {
    holder,
    get state() {
      return state
    },
    get server() {
      return state.status === 'ready' ? server : undefined
    },
    async call(tool, args, given) {
      return (await send({ kind: 'call', tool, args }, given)) as CallToolResult
    },
    async ask({ method, params }, given) {
      const asked = { kind: 'ask', tool: method, args: params } as const
      return (await send(asked, given)) as Record<string, unknown>
    },
    wish: wishes.set,
    async refresh({ signal }) {
      await ask('refresh', { signal })
      await describe()
    },
    async reconnect({ signal }) {
      await ask('reconnect', { signal })
      await describe()
    },
    async close() {
      closing.abort()
      wishes.end()
      unfollow()
      relay.asking.lost(holder, place)
    },
  }

  async function send(
    what: Pick<CallRequest, 'kind' | 'tool' | 'args'>,
    { timeoutMs = defaultCallMs, ...options }: LinkOptions,
  ): Promise<unknown> {
    if (closed.aborted) throw closedError('The connection to the server was closed.', false)
    const { signal, onProgress, onNotice, questions, caller, trace, meta } = options
    const request = {
      ...{ ...what, ...place, timeoutMs, caller, trace, meta },
      wantsProgress: onProgress !== undefined,
      wantsNotices: onNotice !== undefined,
      logLevel: options.logLevel,
      asks: questions && toNames(questions),
    }
    const given = { to: holder, timeoutMs, signal, onProgress, onNotice, questions }
    return await relay.asking.ask(request, given)
  }

  async function ask(
    kind: 'refresh' | 'reconnect',
    { signal }: { signal?: AbortSignal | undefined },
  ) {
    await relay.asking.ask({ kind, ...place }, { to: holder, timeoutMs: reconnectMs, signal })
  }

  function hear(news: News | Gone | undefined): void {
    if (closed.aborted) return
    if (news === undefined) look()
    else if (news.fence > place.fence) options.onEnd('gone')
    else if (news.fence === place.fence) take(news)
  }

  function take(news: News | Gone): void {
    if (news.kind === 'gone') options.onEnd('gone')
    else if (news.stateless) options.onEnd('stateless')
    else if (news.seq <= lastSeq) return
    // The tools come with the answer: a server is not ready before they are known.
    else if (news.state.status === 'ready') look()
    else enter(news.state, news.seq)
  }

  function look(): void {
    describing = describe().finally(() => {
      describing = undefined
    })
    describing.catch(lookAgain)
  }

  function lookAgain(): void {
    void wait(clock, againMs, closed).then(() => {
      if (!closed.aborted && describing === undefined) look()
    })
  }

  async function describe(): Promise<void> {
    const asked = { to: holder, timeoutMs: describeMs, signal: closed }
    const request = { kind: 'describe', ...place } as const
    const description = (await relay.asking.ask(request, asked)) as Description
    if (closed.aborted || description.seq <= lastSeq) return
    if (description.stateless) return options.onEnd('stateless')
    server = description.server
    enter(description.state, description.seq)
    if (description.state.status === 'ready') await events.onTools(description.tools)
  }

  function enter(next: LinkState, seq: number): void {
    lastSeq = seq
    const isSame = JSON.stringify(next) === JSON.stringify(state)
    state = next
    if (!isSame) events.onState()
  }
}

function toNames(questions: ServerQuestions): QuestionName[] {
  const names: QuestionName[] = ['elicit', 'sample', 'listRoots']
  return names.filter((name) => questions[name] !== undefined)
}
