import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '@dataagent/testkit'

/** Which nodes are in turn, and how much each has to do. */
export interface Rota extends Disposable {
  setNodes(urls: readonly string[]): void
  /** The ready node with the least to do that is not among `tried`. */
  next(tried: ReadonlySet<string>): string | undefined
  /** Counts a piece of work until what is returned is called. */
  take(node: string): () => void
  whenReady(count: number): Promise<void>
}

interface Node {
  isReady: boolean
  underWay: number
  /** How often it has been asked. */
  asked: number
}

/** Well within the shutdown delay of nodes: in it they still serve, and are asked no more. */
const askEveryMs = 150
const answerWithinMs = 2_000

export function createRota(): Rota {
  const nodes = new Map<string, Node>()

  /** One that does not answer keeps no other waiting. */
  async function watch(url: string, node: Node): Promise<void> {
    while (nodes.get(url) === node) {
      node.isReady = await isReady(url)
      node.asked += 1
      await delay(askEveryMs)
    }
  }

  function add(url: string): void {
    const node = { isReady: false, underWay: 0, asked: 0 }
    nodes.set(url, node)
    void watch(url, node)
  }

  return {
    setNodes(urls) {
      for (const url of nodes.keys()) if (!urls.includes(url)) nodes.delete(url)
      for (const url of urls) if (!nodes.has(url)) add(url)
    },
    next(tried) {
      const ready = [...nodes].filter(([url, { isReady }]) => isReady && !tried.has(url))
      return ready.toSorted(([, one], [, other]) => one.underWay - other.underWay)[0]?.[0]
    },
    take(url) {
      const node = nodes.get(url)
      if (node !== undefined) node.underWay += 1
      let isTaken = true
      return () => {
        if (isTaken && node !== undefined) node.underWay -= 1
        isTaken = false
      }
    },
    async whenReady(count) {
      const before = new Map([...nodes].map(([url, { asked }]) => [url, asked]))
      // One question may have been under way before.
      const isNew = ([url, { asked }]: [string, Node]) => asked > (before.get(url) ?? 0) + 1
      const isSo = () => {
        const known = [...nodes]
        return known.every(isNew) && known.filter(([, { isReady }]) => isReady).length === count
      }
      await waitFor(isSo, { timeoutMs: 60_000, intervalMs: 20, what: `${count} nodes in turn` })
    },
    [Symbol.dispose]: () => nodes.clear(),
  }
}

async function isReady(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(answerWithinMs)
  const answer = await fetch(`${url}/api/v1/ready`, { signal }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}
