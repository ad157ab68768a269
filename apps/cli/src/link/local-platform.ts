import { type ForkedProgram, forkProgram } from '@dataagent/guard/process'
import type { PlatformNews, PlatformOrder } from '@dataagent/schema'
import { serverProgram } from '../server-program.ts'
import { type Lang, langOf, type Text } from '../words/index.ts'
import type { LocalOptions } from './contract.ts'
import { LinkError } from './link-error.ts'
import { openLog } from './open-log.ts'
import { texts } from './words.ts'

/** A platform of this process's own, in a child process. */
export interface LocalPlatform {
  url: string
  /** As in `Link`. */
  lost: Promise<string>
  /** Resolves when it has answered; rejects where it has refused or gone. */
  order(order: PlatformOrder): Promise<void>
  stop(): Promise<void>
}

export interface PlatformStart extends LocalOptions {
  /** Of its administrator: known to this process and the child alone. */
  apiKey: string
}

/** The child gives up earlier, and says why. */
const patienceMs = 60_000
const graceMs = 3_000

/** Resolves when it can do its work. Rejects with a LinkError, or the reason of the signal. */
export async function startPlatform(options: PlatformStart): Promise<LocalPlatform> {
  const { logFile, signal, lang = langOf(options.env) } = options
  signal?.throwIfAborted()
  const news = createNews()
  const child = await fork(options, lang, news.hear)
  const lost = Promise.withResolvers<string>()
  let isWanted = true

  function stop(): Promise<void> {
    isWanted = false
    news.end(new LinkError('platform', texts.closed[lang]))
    return child.stop({ graceMs }).then(() => {})
  }

  void child.exited.then(async ({ code, signal: by }) => {
    await news.allHeard()
    const how = by ?? `exit code ${code}`
    const why = news.failure()
    const before = why ?? texts.endedBefore(how)[lang]
    news.end(new LinkError('platform', texts.cannotStart(before, logFile)[lang]))
    if (isWanted) lost.resolve(texts.lost(why ?? texts.endedWith(how)[lang], logFile)[lang])
  })

  const late = texts.cannotStart(texts.tooSlow(patienceMs / 1000)[lang], logFile)
  const timer = setTimeout(() => news.end(new LinkError('platform', late[lang])), patienceMs)
  const onAbort = () => news.end(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const url = await news.listening
    return { url, lost: lost.promise, order: createOrders(child, news), stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

async function fork(
  { folder, dataDir, env, logFile, apiKey }: PlatformStart,
  lang: Lang,
  onMessage: (message: unknown) => void,
): Promise<ForkedProgram> {
  const told = (why: Text, cause: unknown) => new LinkError('platform', why[lang], cause)
  await using log = await openLog(logFile).catch((error: NodeJS.ErrnoException) => {
    throw told(texts.noLog(logFile, error.code ?? ''), error)
  })
  // What it is to be is in its environment: others can read the arguments of a process.
  const own = { DATAAGENT_API_KEYS: apiKey, DATAAGENT_TERMINAL_FOLDER: folder }
  const given = Object.entries({ ...env, DATAAGENT_API_KEY: undefined, ...own })
  const set = given.filter((pair): pair is [string, string] => pair[1] !== undefined)
  return await forkProgram({
    ...{ ...serverProgram('terminal'), output: log.fd, onMessage },
    args: dataDir === undefined ? [] : ['--data-dir', dataDir],
    env: Object.fromEntries(set),
  }).catch((error) => {
    throw told(texts.cannotStart(String(error.message), logFile), error)
  })
}

/** What the child has told, and who waits for it. */
function createNews() {
  const listening = Promise.withResolvers<string>()
  const waiting: PromiseWithResolvers<void>[] = []
  // Loaded while the child starts, which takes much longer.
  const reading = import('@dataagent/schema')
  let heard: Promise<unknown> = reading
  let failure: string | undefined
  let ended: { reason: unknown } | undefined
  // Where nobody asks for it any more.
  listening.promise.catch(() => {})

  const takers: { [K in PlatformNews['kind']]: (news: NewsOf<K>) => void } = {
    listening: ({ url }) => listening.resolve(url),
    failed: ({ message }) => {
      failure = message
    },
    servers_set: () => waiting.shift()?.resolve(),
    servers_refused: ({ message }) => waiting.shift()?.reject(new Error(message)),
  }

  async function take(message: unknown): Promise<void> {
    const { platformNewsSchema } = await reading
    const { data: news } = platformNewsSchema.safeParse(message)
    if (news) (takers[news.kind] as (news: PlatformNews) => void)(news)
  }

  return {
    listening: listening.promise,
    failure: () => failure,
    hear(message: unknown): void {
      heard = heard.then(() => take(message))
    },
    allHeard: () => heard,
    /** The answer to what was asked last. */
    answer(): Promise<void> {
      const asked = Promise.withResolvers<void>()
      if (ended) asked.reject(ended.reason)
      else waiting.push(asked)
      return asked.promise
    },
    /** Nothing more will come. */
    end(reason: unknown): void {
      ended ??= { reason }
      listening.reject(reason)
      for (const asked of waiting.splice(0)) asked.reject(reason)
    },
  }
}

type NewsOf<K extends PlatformNews['kind']> = Extract<PlatformNews, { kind: K }>

/** The child answers in the order in which it is asked. */
function createOrders(child: ForkedProgram, news: ReturnType<typeof createNews>) {
  return (order: PlatformOrder): Promise<void> => {
    const answer = news.answer()
    child.send(order)
    return answer
  }
}
