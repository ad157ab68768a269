/** The inspector of a node that was started with `--inspect=127.0.0.1:0`. */
export interface Inspector extends Disposable {
  collectGarbage(): Promise<void>
  /** The value of an expression in the node, as JSON carries it. */
  evaluate<T>(expression: string): Promise<T>
  /**
   * Calls `look` in the node with all living objects of a prototype that `expression` gives. The
   * garbage has gone before.
   */
  evaluateAll<T>(expression: string, look: string): Promise<T>
}

interface Evaluated {
  result: { value?: unknown; objectId: string; description?: string }
  exceptionDetails?: { text: string }
}

interface Answer {
  id?: number
  result?: unknown
  error?: { message: string }
}

/** `stderr` is what the node has said there: it names its address. */
export async function connectInspector(stderr: string): Promise<Inspector> {
  const [, url] = /Debugger listening on (ws:\S+)/.exec(stderr) ?? []
  if (url === undefined) throw new Error(`the node has no inspector: ${stderr}`)
  const socket = new WebSocket(url)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let sent = 0

  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result, error } = JSON.parse(String(data)) as Answer
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new Error(error.message))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the inspector has gone'))
  })
  await opened(socket)

  function ask<T>(method: string, params: object = {}): Promise<T> {
    const answer = Promise.withResolvers<unknown>()
    sent += 1
    waiting.set(sent, answer)
    socket.send(JSON.stringify({ id: sent, method, params }))
    return answer.promise as Promise<T>
  }

  return {
    collectGarbage: () => ask('HeapProfiler.collectGarbage'),
    async evaluate<T>(expression: string) {
      return readValue(await ask('Runtime.evaluate', { expression, returnByValue: true })) as T
    },
    async evaluateAll<T>(expression: string, look: string) {
      const objectGroup = 'counted'
      const { result } = await ask<Evaluated>('Runtime.evaluate', { expression, objectGroup })
      const { objectId: prototypeObjectId } = result
      const { objects } = await ask<{ objects: { objectId: string } }>('Runtime.queryObjects', {
        ...{ prototypeObjectId, objectGroup },
      })
      const called = await ask<Evaluated>('Runtime.callFunctionOn', {
        ...{ functionDeclaration: look, objectId: objects.objectId, returnByValue: true },
      })
      await ask('Runtime.releaseObjectGroup', { objectGroup })
      return readValue(called) as T
    },
    [Symbol.dispose]: () => socket.close(),
  }
}

function opened(socket: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.addEventListener('open', () => resolve())
  socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  return promise
}

function readValue({ result, exceptionDetails }: Evaluated): unknown {
  if (exceptionDetails) throw new Error(result.description ?? exceptionDetails.text)
  return result.value
}
